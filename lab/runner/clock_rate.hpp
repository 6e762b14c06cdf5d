// SPDX-License-Identifier: BSL-1.0
// Raises a processor's clock rate before a measurement. An idle processor needs some milliseconds
// to leave its sleep state, and up to a second to raise its frequency.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace lab {

/// Keeps the calling thread's processor busy until its speed does not rise any more, for at least
/// 20 milliseconds and at most a second.
inline void raise_clock_rate() {
    using clock = std::chrono::steady_clock;
    constexpr std::chrono::milliseconds slice{5};
    constexpr int slices_without_rise = 4;
    constexpr double least_rise = 1.02;

    volatile std::uint64_t sink = 1;
    const auto passes_of_a_slice = [&] {
        double passes = 0;
        for (const auto end = clock::now() + slice; clock::now() < end; ++passes) {
            for (int i = 0; i < 1000; ++i) {
                sink = sink * 6364136223846793005U + 1442695040888963407U;
            }
        }
        return passes;
    };
    double most = 0;
    int without_rise = 0;
    const auto last = clock::now() + std::chrono::seconds(1);
    while (without_rise < slices_without_rise && clock::now() < last) {
        const double passes = passes_of_a_slice();
        without_rise = passes > most * least_rise ? 0 : without_rise + 1;
        most = std::max(most, passes);
    }
}

}  // namespace lab
