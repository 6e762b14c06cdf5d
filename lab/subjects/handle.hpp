// SPDX-License-Identifier: BSL-1.0
// The members of a subject of kind `handles`: a smart pointer. Each subject is a struct in a file
// of its own in subjects/handles. It has the name of the file and derives from `handle_subject`:
//
//   is                identity: the name, the family, and the place in the family
//   handle<T>         the type of the handle
//   weak<T>           optional: the type of a weak pointer. Its lock() returns a handle
//   make<T>(args...)  optional: returns a handle to a new T(args...). Without it, a handle is
//                     constructed from a T*
//   base<T>           optional: the base class of the objects, if it contains the count
//   copy(handle)      optional: returns the argument for the handle's copy constructor; a rvalue if
//                     the handle can only be moved
//   abandon(handle)   optional: frees the object, if the handle does not own it. The suites call it
//                     for the last handle to each object
//   share_out(handle) optional: returns what keeps an object ready for many threads that copy it
//                     as long as it lives
//
// If the identity says why the subject is missing, it needs no other member. dumb.hpp is the
// shortest example; ../README.md explains it.
#pragma once

#include "runner/subject.hpp"

#include <cstdint>
#include <type_traits>
#include <utility>

namespace lab {

/// Room for an unused count: it gives every subject a pointee of the same size.
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

    template <class Handle>
    static int share_out(const Handle&) noexcept {
        return 0;
    }
};

/// Whether the subject makes the pointee, in one block with the counts.
template <class Subject, class T>
concept in_place = requires { Subject::template make<T>(); };

/// Returns a handle to a new T(arguments...), made in the way of the subject.
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

/// A pointee that was made and is not acquired yet. A kernel constructs the first handle from it,
/// by a move. If the subject makes pointees in place, this is already a handle.
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
