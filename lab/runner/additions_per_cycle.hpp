// SPDX-License-Identifier: BSL-1.0
// Whether a thread has its core for itself. On most machines two hardware threads share a core
// (SMT). On a rented machine the other one is often another customer's. While it works, everything
// takes up to twice as long, for seconds at a time, and no counter of the system shows it.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace lab {

/// Returns how many independent additions the calling thread's core does in the time of one that
/// waits for the one before. An EPYC does 3.5, and 1.8 while another thread uses the core. The
/// clock rate does not matter. Takes about 20 microseconds.
inline double additions_per_cycle() noexcept {
    using clock = std::chrono::steady_clock;
    constexpr std::size_t rows = 400;
    constexpr std::size_t width = 8;
    constexpr int attempts = 4;  // a preempted attempt is not the shortest
    std::uint64_t a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0;
    const auto add = [](std::uint64_t & to) __attribute__((always_inline)) {
        ++to;
        asm volatile("" : "+r"(to));
    };
    auto dependent = clock::duration::max();
    auto independent = clock::duration::max();
    for (int attempt = 0; attempt < attempts; ++attempt) {
        const auto begin = clock::now();
        for (std::size_t row = 0; row < rows; ++row) {
            for (std::size_t i = 0; i < width; ++i) add(a);
        }
        const auto middle = clock::now();
        for (std::size_t row = 0; row < width * rows / 2; ++row) {
            add(a), add(b), add(c), add(d), add(e), add(f), add(g), add(h);
        }
        const auto end = clock::now();
        dependent = std::min(dependent, middle - begin);
        independent = std::min(independent, end - middle);
    }
    constexpr double independent_additions = width * (width * rows / 2);
    constexpr double dependent_additions = width * rows;
    const auto count = [](clock::duration time) {
        return static_cast<double>(std::max<clock::rep>(time.count(), 1));
    };
    return independent_additions / dependent_additions * count(dependent) / count(independent);
}

}  // namespace lab
