// SPDX-License-Identifier: BSL-1.0
// Memory for a T that is constructed later or never, and is not destroyed.
#pragma once

#include <freehold/config.hpp>

namespace freehold::inline FREEHOLD_ABI::detail {

template <class T>
union unmade {
    char nothing;
    T object;

    constexpr unmade() noexcept : nothing() {}
    constexpr ~unmade() {}
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
