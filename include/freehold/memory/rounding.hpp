// SPDX-License-Identifier: BSL-1.0
// Sizes and addresses rounded to whole granules, whose size is a power of two.
#pragma once

#include <cstddef>

namespace freehold::detail {

[[nodiscard]] constexpr std::size_t down_to_whole(std::size_t granule, std::size_t size) noexcept {
    return size & ~(granule - 1);
}
[[nodiscard]] constexpr std::size_t up_to_whole(std::size_t granule, std::size_t size) noexcept {
    return down_to_whole(granule, size + granule - 1);
}

}  // namespace freehold::detail
