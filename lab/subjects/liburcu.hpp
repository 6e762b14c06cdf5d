// SPDX-License-Identifier: BSL-1.0
// liburcu's flavours: readers announce themselves, and a writer waits until all that may have seen
// the object are through before it frees it.
#pragma once

#include "subjects/pointer.hpp"

#include <atomic>
#include <utility>

namespace lab {

#ifdef FREEHOLD_LAB_HAS_URCU
inline constexpr origin liburcu_library = {"liburcu", LAB_URCU_VERSION, ""};
#else
inline constexpr origin liburcu_library = {"liburcu", "", "install liburcu (Debian: liburcu-dev)"};
#endif

/// `Flavour` has read_lock(), read_unlock() and synchronize().
template <class T, class Flavour>
class liburcu_pointer {
public:
    liburcu_pointer() : current_(new T()) {}
    ~liburcu_pointer() { delete current_.load(std::memory_order_relaxed); }
    liburcu_pointer(const liburcu_pointer&) = delete;
    liburcu_pointer& operator=(const liburcu_pointer&) = delete;

    template <class Use>
    void read(Use&& use) const {
        Flavour::read_lock();
        // acquire, for rcu_dereference: the object is as its maker left it.
        use(*static_cast<const T*>(current_.load(std::memory_order_acquire)));
        Flavour::read_unlock();
    }

    void store(const T& value) {
        // acq_rel, for rcu_xchg_pointer: readers see the object; what was done to the one before
        // comes before its end.
        T* const replaced = current_.exchange(new T(value), std::memory_order_acq_rel);
        Flavour::synchronize();
        delete replaced;
    }

    /// What is read is not freed, and so its address not used again, before the section ends.
    template <class Change>
    void update(Change&& change) {
        Flavour::read_lock();
        T* seen = current_.load(std::memory_order_acquire);
        T* const made = new T(change(std::as_const(*seen)));
        // As in store.
        while (!current_.compare_exchange_strong(seen, made, std::memory_order_acq_rel,
                                                 std::memory_order_acquire)) {
            *made = change(std::as_const(*seen));
        }
        Flavour::read_unlock();
        Flavour::synchronize();
        delete seen;
    }

private:
    std::atomic<T*> current_;
};

}  // namespace lab
