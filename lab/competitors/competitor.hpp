// SPDX-License-Identifier: BSL-1.0
// What a competitor tells the suites about itself. Each is a struct in a file of its own, derived
// from `competitor`, that overrides what differs:
//
//   name             as in lab/README.md
//   handle<T>        the type that owns a T
//   weak<T>          the pointer that does not own, with a lock() that gives a handle; if there is
//   one make<T>(args...) a handle to a new T(args...), if it can be made in place only; the others'
//                    handles are constructible from a T*, and `make_owned` does that
//   base<T>          what a T that this competitor is to own derives from
//   in_single        whether it is also measured in process `single`
//   copy(handle)     what a copy is made from
//   abandon(handle)  called when the last handle to a pointee is gone, or would be if it owned
//
// A peer that is not installed has `missing`, the reason, in place of `handle`.
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>

namespace lab {

/// Room for a count that nobody uses: it gives every competitor a pointee of the same size.
struct no_count {
    std::uint64_t unused = 0;
};

struct competitor {
    static constexpr bool in_single = false;

    template <class T>
    using base = no_count;

    template <class Handle>
    static const Handle& copy(const Handle& from) noexcept {
        return from;
    }

    template <class Handle>
    static void abandon(Handle&) noexcept {}
};

template <class Competitor>
concept installed = !requires { Competitor::missing; };

/// Whether the handle makes its pointee, in one block with the counts, instead of being given it.
template <class Competitor, class T>
concept in_place = requires { Competitor::template make<T>(); };

/// A handle to a new T(arguments...), made as the competitor makes its own.
template <class Competitor, class T, class... Arguments>
typename Competitor::template handle<T> make_owned(Arguments&&... arguments) {
    if constexpr (in_place<Competitor, T>) {
        return Competitor::template make<T>(std::forward<Arguments>(arguments)...);
    } else {
        return
            typename Competitor::template handle<T>(new T(std::forward<Arguments>(arguments)...));
    }
}

template <class Competitor, class T>
concept with_weak = requires { typename Competitor::template weak<T>; };

/// What stands for a pointee that is made and not yet acquired: a handle is constructed from it, by
/// a move, and is the first. In place there is a first handle already, and to acquire is to move
/// it.
template <class Competitor, class T>
using source =
    std::conditional_t<in_place<Competitor, T>, typename Competitor::template handle<T>, T*>;

template <class Competitor, class T>
source<Competitor, T> make_source() {
    if constexpr (in_place<Competitor, T>) {
        return Competitor::template make<T>();
    } else {
        return new T();
    }
}

template <class... Competitors>
struct competitor_list {
    /// Calls `visit.operator()<Competitor>()` for each.
    template <class Visitor>
    static void for_each(Visitor&& visit) {
        (visit.template operator()<Competitors>(), ...);
    }
};

}  // namespace lab
