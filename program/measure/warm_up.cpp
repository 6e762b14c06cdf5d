// SPDX-License-Identifier: BSL-1.0
#include "measure/warm_up.hpp"

#include <algorithm>
#include <cstdint>

namespace freehold {

void warm_up(std::chrono::milliseconds length, const interrupts& interrupts) {
    using clock = std::chrono::steady_clock;
    constexpr std::chrono::milliseconds slice{20};
    const auto end = clock::now() + length;
    volatile std::uint64_t sink = 1;
    while (clock::now() < end && !interrupts.arrived()) {
        const auto end_of_slice = std::min(clock::now() + slice, end);
        while (clock::now() < end_of_slice)
            for (int i = 0; i < 1000; ++i)
                sink = sink * 6364136223846793005U + 1442695040888963407U;
    }
}

}  // namespace freehold
