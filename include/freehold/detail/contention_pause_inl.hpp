// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <freehold/detail/contention_pause.hpp>
#include <freehold/detail/platform/clock.hpp>
#include <freehold/detail/platform/processor.hpp>

#include <cstdint>

namespace freehold::inline FREEHOLD_ABI::detail {

void contention_pause() noexcept {
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
