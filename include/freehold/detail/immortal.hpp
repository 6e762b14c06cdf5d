// SPDX-License-Identifier: BSL-1.0
// A variable that is never destroyed. The destructors of other static objects, and of other
// threads' variables, may still use it, in any order.
#pragma once

#include <freehold/config.hpp>

#include <type_traits>
#include <utility>

namespace freehold::inline FREEHOLD_ABI::detail {

// Without a destructor of its own if T has none: compilers register even an empty one, by code that
// runs before main.
template <class T, bool HasDestructor = !std::is_trivially_destructible_v<T>>
union immortal {
    T value;

    template <class... Args>
    constexpr explicit immortal(Args&&... args) : value(std::forward<Args>(args)...) {}
    constexpr ~immortal() {}
};
template <class T>
union immortal<T, false> {
    T value;

    template <class... Args>
    constexpr explicit immortal(Args&&... args) : value(std::forward<Args>(args)...) {}
};

// Memory for a T that is constructed later or never, and is not destroyed.
template <class T>
union unmade {
    char nothing;
    T object;

    constexpr unmade() noexcept : nothing() {}
    constexpr ~unmade() {}
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
