// SPDX-License-Identifier: BSL-1.0
// A variable that is never destroyed: destructors of other statics, and of other threads'
// variables, may still use it, whatever the order.
#pragma once

#include <freehold/config.hpp>

#include <utility>

namespace freehold::inline FREEHOLD_ABI::detail {

template <class T>
union immortal {
    T value;

    template <class... Args>
    constexpr explicit immortal(Args&&... args) : value(std::forward<Args>(args)...) {}
    constexpr ~immortal() {}
};

// Memory for a T that is made later, or never, and not destroyed.
template <class T>
union unmade {
    char nothing;
    T object;

    constexpr unmade() noexcept : nothing() {}
    constexpr ~unmade() {}
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
