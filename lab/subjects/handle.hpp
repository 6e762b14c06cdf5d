// SPDX-License-Identifier: BSL-1.0
// What a subject that owns one object by one handle tells the suites. Each is a struct in a file of
// its own in subjects/handles, named like the file and derived from `handle_subject`, with:
//
//   is                identity: its name, family and place among the others
//   handle<T>         the type that owns a T
//   weak<T>           the pointer that does not own, with a lock() that gives a handle; optional
//   make<T>(args...)  a handle to a new T(args...), if it can only be made in place; other handles
//                     are constructible from a T*, and `make_owned` does that
//   base<T>           what a T that this subject owns derives from
//   copy(handle)      what a copy is made from
//   abandon(handle)   called when the last handle to a pointee is gone, or would be if it owned
//
// A subject whose identity says why it is missing needs nothing else.
#pragma once

#include "runner/subject.hpp"

#include <cstdint>
#include <type_traits>
#include <utility>

namespace lab {

/// Room for a count that nobody uses: it gives every subject a pointee of the same size.
struct no_count {
    std::uint64_t unused = 0;
};

struct handle_subject {
    template <class T>
    using base = no_count;

    template <class Handle>
    static const Handle& copy(const Handle& from) noexcept {
        return from;
    }

    template <class Handle>
    static void abandon(Handle&) noexcept {}
};

/// Whether the handle makes its pointee, in one block with the counts, instead of being given it.
template <class Subject, class T>
concept in_place = requires { Subject::template make<T>(); };

/// A handle to a new T(arguments...), made as the subject makes its own.
template <class Subject, class T, class... Arguments>
typename Subject::template handle<T> make_owned(Arguments&&... arguments) {
    if constexpr (in_place<Subject, T>) {
        return Subject::template make<T>(std::forward<Arguments>(arguments)...);
    } else {
        return typename Subject::template handle<T>(new T(std::forward<Arguments>(arguments)...));
    }
}

template <class Subject, class T>
concept with_weak = requires { typename Subject::template weak<T>; };

/// What stands for a pointee that is made and not yet acquired: a handle is constructed from it, by
/// a move, and is the first. In place there is a first handle already, and to acquire is to move
/// it.
template <class Subject, class T>
using source = std::conditional_t<in_place<Subject, T>, typename Subject::template handle<T>, T*>;

template <class Subject, class T>
source<Subject, T> make_source() {
    if constexpr (in_place<Subject, T>) {
        return Subject::template make<T>();
    } else {
        return new T();
    }
}

}  // namespace lab
