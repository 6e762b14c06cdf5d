// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <freehold/count/back_off.hpp>

#include <cstdint>
#include <ctime>

namespace freehold::inline FREEHOLD_ABI::detail {

// Leaves the processor's resources to others for a moment.
inline void pause_processor() noexcept {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
}

[[nodiscard]] inline std::uint64_t nanoseconds_now() noexcept {
    timespec now{};
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 +
           static_cast<std::uint64_t>(now.tv_nsec);
}

void back_off() noexcept {
    constexpr std::uint64_t shortest = 750;
    const std::uint64_t begin = nanoseconds_now();
    // The upper bits of a product with an odd number are as good as random (Knuth 6.4).
    const std::uint64_t more = (begin * 0x9E3779B97F4A7C15) >> 32;
    const std::uint64_t end = begin + shortest + more % shortest;
    do {
        pause_processor();
    } while (nanoseconds_now() < end);
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
