// SPDX-License-Identifier: BSL-1.0
// The members of a subject of kind `pointers`: a pointer that several threads read and replace.
// Each subject is a struct in a file of its own in subjects/pointers. It has the name of the file
// and derives from `pointer_subject`:
//
//   is           identity: the name, the family, and the place in the family
//   pointer<T>   a pointer to a T() at first. Its functions are
//                  read(use)        calls use(const T&), and keeps the object alive meanwhile
//                  store(value)     makes a new T(value) and points to it
//                  update(change)   replaces the object by a new T(change(const T&)) of it
//   thread       optional: an object that each thread holds while it uses the pointers
//
// If the identity says why the subject is missing, it needs no other member.
#pragma once

#include "runner/subject.hpp"

#include <cstddef>
#include <utility>

namespace lab {

/// The number of reads after which a thread reports that it holds no object.
constexpr std::size_t reads_before_a_pause = 64;

struct pointer_subject {
    /// False if an object may be freed or changed while it is read.
    static constexpr bool protects = true;

    struct thread {
        /// Called before the thread's first read or store.
        void begin() noexcept {}
        /// Called while the thread holds no object.
        void pause() noexcept {}
        /// Called after the last read or store before the next begin().
        void end() noexcept {}
    };
};

/// A pointer whose readers become owners: std::atomic<std::shared_ptr> and its like.
/// `Maker::make<T>(arguments...)` makes a handle.
template <class T, class Atomic, class Maker>
class loaded_pointer {
public:
    loaded_pointer() : owner_(Maker::template make<T>()) {}

    template <class Use>
    void read(Use&& use) const {
        const auto mine = owner_.load();
        use(std::as_const(*mine));
    }

    void store(const T& value) { owner_.store(Maker::template make<T>(value)); }

    template <class Change>
    void update(Change&& change) {
        auto seen = owner_.load();
        while (!owner_.compare_exchange_strong(
            seen, Maker::template make<T>(change(std::as_const(*seen))))) {
        }
    }

private:
    Atomic owner_;
};

}  // namespace lab
