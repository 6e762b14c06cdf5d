// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace lab {

/// How many pointees "Smart Pointer Timings" fills its containers with.
inline constexpr std::size_t pointee_count = 300'000;

/// Their values: the same sequence for every subject, on every run.
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
