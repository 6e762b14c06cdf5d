// SPDX-License-Identifier: BSL-1.0
// liburcu's flavours. Readers announce that they read. A writer waits until all readers that may
// have seen the object have finished, and then frees it.
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
        // acquire, for rcu_dereference: this thread sees the object as its maker left it.
        use(*static_cast<const T*>(current_.load(std::memory_order_acquire)));
        Flavour::read_unlock();
    }

    void store(const T& value) {
        // acq_rel, for rcu_xchg_pointer. Readers see the new object. All operations on the previous
        // object happen before it is freed.
        T* const replaced = current_.exchange(new T(value), std::memory_order_acq_rel);
        Flavour::synchronize();
        delete replaced;
    }

    /// The reader's section protects what it reads: the object is not freed, so no other object
    /// gets its address.
    template <class Change>
    void update(Change&& change) {
        Flavour::read_lock();
        T* seen = current_.load(std::memory_order_acquire);
        T* const made = new T(change(std::as_const(*seen)));
        // acq_rel, as in store; acquire on failure, because the object is read again.
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
