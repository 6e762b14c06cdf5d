// SPDX-License-Identifier: BSL-1.0
// What a buffer costs of the allocator that this process runs with: nanoseconds for getting it,
// the faults of touching its pages for the first time, and giving it back. It is what a cache
// saves with each hit, and it differs by four orders of magnitude between 64 bytes and 1 MiB; so
// hits are weighed by it, not counted. With another allocator preloaded, that one is measured.
#pragma once

#include <freehold/cache/allocation_costs.hpp>

#include <chrono>
#include <cstddef>
#include <vector>

namespace freehold {

using cost_clock = std::chrono::steady_clock;
using cost_ns = std::chrono::duration<double, std::nano>;

inline constexpr std::size_t page_to_touch = 4096;

/// Writes to each page, which is there then.
inline void touch_pages(std::byte* bytes, std::size_t size) {
    auto* const touched = static_cast<volatile std::byte*>(bytes);
    for (std::size_t at = 0; at < size; at += page_to_touch) touched[at] = std::byte{1};
}

/// Nanoseconds between two readings with nothing between.
[[nodiscard]] double cost_of_clock();

/// A clock can be too coarse for what a small buffer costs, but never so coarse as a tenth of it.
[[nodiscard]] double two_digits(double cost);

struct measured_costs {
    /// Two digits each, so that the next measurement finds nearly the same.
    std::vector<allocation_cost> allocator;
    /// One get and put of a buffer that lies ready in the library's cache with its default policy:
    /// what a cache costs where it saves nothing.
    double cache = 0;
};

/// Takes a tenth of a second. Throws std::bad_alloc.
[[nodiscard]] measured_costs measure_costs();

}  // namespace freehold
