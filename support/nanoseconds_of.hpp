// SPDX-License-Identifier: BSL-1.0
// The time that a short piece of work takes on this machine. The measurement takes a few
// milliseconds.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>

namespace support {

/// Returns the nanoseconds that one call of `work` takes: the median of seven samples.
template <class Work>
double nanoseconds_of(Work work) {
    using clock = std::chrono::steady_clock;
    constexpr std::size_t samples = 7;
    constexpr std::chrono::microseconds sample_time{400};
    std::array<double, samples> found{};
    for (double& each : found) {
        const auto begin = clock::now();
        auto end = begin;
        std::size_t calls = 0;
        for (std::size_t batch = 1; end - begin < sample_time; batch *= 2) {
            for (std::size_t i = 0; i != batch; ++i) work();
            calls += batch;
            end = clock::now();
        }
        const std::chrono::duration<double, std::nano> taken = end - begin;
        each = taken.count() / static_cast<double>(calls);
    }
    std::nth_element(found.begin(), found.begin() + samples / 2, found.end());
    return found[samples / 2];
}

}  // namespace support
