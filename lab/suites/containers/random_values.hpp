// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace lab {

/// The number of pointees that "Smart Pointer Timings" puts in a container.
inline constexpr std::size_t pointee_count = 300'000;

/// The pointees' values. The sequence is the same for every subject and on every run.
inline const std::vector<std::uint64_t>& random_values() {
    static const std::vector<std::uint64_t> sequence = [] {
        std::mt19937_64 random(20000127);
        std::vector<std::uint64_t> values;
        values.reserve(pointee_count);
        while (values.size() != pointee_count) values.push_back(random());
        return values;
    }();
    return sequence;
}

}  // namespace lab
