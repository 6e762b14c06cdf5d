// SPDX-License-Identifier: BSL-1.0
// How many blocks a magazine has if nobody says: found by measurement, of blocks of 2 KiB that are
// handed from thread to thread.
#pragma once

#include <freehold/memory/rounding.hpp>
#include <freehold/platform/processor.hpp>

#include <algorithm>
#include <cstddef>

namespace freehold::inline FREEHOLD_ABI::detail {

// Of blocks. Half a MiB in each of a thread's two magazines stays in the second-level cache of a
// Xeon, 2 MiB; with a MiB in each whole packets take 1.7 times as long. An AMD core reads faster
// what the other's second level has given up to the third than what that still has: on a Zen 4, its
// second level 1 MiB, as much takes them 0.55 times as long.
[[nodiscard]] constexpr std::size_t magazine_bytes(processor_caches of) noexcept {
    constexpr std::size_t half_a_mebibyte = std::size_t{512} << 10;
    const std::size_t most = of.gives_up_to_third_level ? 2 * half_a_mebibyte : half_a_mebibyte;
    if (of.second_level == 0) return most;
    return std::min(most, of.gives_up_to_third_level ? of.second_level : of.second_level / 2);
}

// No usual burst takes the slow path because a magazine ends in its midst.
[[nodiscard]] constexpr std::size_t default_magazine_size(std::size_t stride,
                                                          std::size_t maximum_capacity,
                                                          processor_caches of) noexcept {
    constexpr std::size_t burst = 32;
    constexpr std::size_t enough = 512;
    const std::size_t fitting = up_to_whole(burst, magazine_bytes(of) / stride);
    return std::clamp<std::size_t>(maximum_capacity / 8, 1, std::clamp(fitting, burst, enough));
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
