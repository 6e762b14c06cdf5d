// SPDX-License-Identifier: BSL-1.0
// The default size of a magazine. The figures result from measurements with blocks of 2 KiB that
// one thread hands to another.
#pragma once

#include <freehold/detail/platform/processor.hpp>
#include <freehold/detail/rounding.hpp>

#include <algorithm>
#include <cstddef>

namespace freehold::inline FREEHOLD_ABI::detail {

// Returns the bytes of all blocks of a magazine. Half a MiB in each of a thread's two magazines
// stays in the second-level cache of a Xeon, which has 2 MiB. With a MiB in each, transferring
// whole packets takes 1.7 times as long. An AMD core reads lines faster if the other core's second
// level has evicted them to the third level. On a Zen 4 with a second level of 1 MiB, transferring
// whole packets with a MiB in each takes 0.55 times as long.
[[nodiscard]] constexpr std::size_t magazine_bytes(processor_caches of) noexcept {
    constexpr std::size_t half_a_mebibyte = std::size_t{512} << 10;
    const std::size_t most = of.gives_up_to_third_level ? 2 * half_a_mebibyte : half_a_mebibyte;
    if (of.second_level == 0) return most;
    return std::min(most, of.gives_up_to_third_level ? of.second_level : of.second_level / 2);
}

// A multiple of the usual burst, so that no usual burst takes the slow path because a magazine ends
// in the middle of it.
[[nodiscard]] constexpr std::size_t default_magazine_size(std::size_t stride,
                                                          std::size_t maximum_capacity,
                                                          processor_caches of) noexcept {
    constexpr std::size_t burst = 32;
    constexpr std::size_t enough = 512;
    const std::size_t fitting = up_to_whole(burst, magazine_bytes(of) / stride);
    return std::clamp<std::size_t>(maximum_capacity / 8, 1, std::clamp(fitting, burst, enough));
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
