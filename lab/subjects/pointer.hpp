// SPDX-License-Identifier: BSL-1.0
// What a pointer that several threads read and replace tells the suite `atomics` about itself. Each
// is a struct in a file of its own in subjects/pointers, named like the file and derived from
// `pointer_subject`, with:
//
//   is           identity: its name, family and place among the others
//   pointer<T>   points to a T() at first, and has
//                  read(use)        calls use(const T&), and keeps the object alive meanwhile
//                  store(value)     makes a new T(value) and points to it
//                  update(change)   makes a new T(change(const T&)) of the object that it replaces
//   thread       what a thread holds that uses these pointers, if the library asks for something
//
// A subject whose identity says why it is missing needs nothing else.
#pragma once

#include "runner/subject.hpp"

#include <cstddef>
#include <utility>

namespace lab {

/// Reads that a thread makes before it says that it holds no object.
constexpr std::size_t reads_before_a_pause = 64;

struct pointer_subject {
    /// False if an object may be freed or changed while it is read.
    static constexpr bool protects = true;

    struct thread {
        /// Reads and replaces from here.
        void begin() noexcept {}
        /// Holds no object just now.
        void pause() noexcept {}
        /// Does neither until the next begin().
        void end() noexcept {}
    };
};

/// A pointer whose reader owns the object: std::atomic<std::shared_ptr> and its like.
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
