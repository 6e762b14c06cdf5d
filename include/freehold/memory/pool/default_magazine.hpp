// SPDX-License-Identifier: BSL-1.0
// How many blocks a magazine has if nobody says: found by measurement, of blocks of 2 KiB that are
// handed from thread to thread.
#pragma once

#include <freehold/memory/rounding.hpp>

#include <algorithm>
#include <cstddef>

namespace freehold::detail {

// Of blocks. Half a MiB at hand stays in the second-level cache, and on a Xeon a MiB takes whole
// packets 1.7 times as long. An AMD core reads faster what the other's second level has given up to
// the third than what that still has: on a Zen 4 a MiB takes them 0.55 times as long.
[[nodiscard]] inline std::size_t magazine_bytes() noexcept {
    constexpr std::size_t half_a_mebibyte = std::size_t{512} << 10;
#if defined(__x86_64__) || defined(__i386__)
    __builtin_cpu_init();
    if (__builtin_cpu_is("amd")) return 2 * half_a_mebibyte;
#endif
    return half_a_mebibyte;
}

// No usual burst takes the slow path because a magazine ends in its midst.
[[nodiscard]] inline std::size_t default_magazine_size(std::size_t stride,
                                                       std::size_t maximum_capacity) noexcept {
    constexpr std::size_t burst = 32;
    constexpr std::size_t enough = 512;
    const std::size_t fitting = up_to_whole(burst, magazine_bytes() / stride);
    return std::clamp<std::size_t>(maximum_capacity / 8, 1, std::clamp(fitting, burst, enough));
}

}  // namespace freehold::detail
