// SPDX-License-Identifier: BSL-1.0
// Rounds sizes to multiples of a granule, which is a power of two. Also returns the smaller and the
// larger of two sizes, without <algorithm>.
#pragma once

#include <freehold/config.hpp>

#include <cstddef>

namespace freehold::inline FREEHOLD_ABI::detail {

[[nodiscard]] constexpr std::size_t down_to_whole(std::size_t granule, std::size_t size) noexcept {
    return size & ~(granule - 1);
}
[[nodiscard]] constexpr std::size_t up_to_whole(std::size_t granule, std::size_t size) noexcept {
    return down_to_whole(granule, size + granule - 1);
}

[[nodiscard]] constexpr std::size_t smaller(std::size_t a, std::size_t b) noexcept {
    return b < a ? b : a;
}
[[nodiscard]] constexpr std::size_t larger(std::size_t a, std::size_t b) noexcept {
    return a < b ? b : a;
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
