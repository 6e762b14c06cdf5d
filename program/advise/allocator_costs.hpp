// SPDX-License-Identifier: BSL-1.0
// What a buffer costs with the allocator of this process: the nanoseconds to allocate it, to touch
// its pages for the first time (page faults), and to free it. A cache saves this cost with each
// hit. It differs by four orders of magnitude between 64 bytes and 1 MiB, so hits are weighed by
// cost and not counted. If another allocator is preloaded, these functions measure that one.
#pragma once

#include <freehold/buffer/allocation_costs.hpp>

#include <chrono>
#include <cstddef>
#include <vector>

namespace freehold {

using cost_clock = std::chrono::steady_clock;
using cost_ns = std::chrono::duration<double, std::nano>;

inline constexpr std::size_t page_to_touch = 4096;

/// Writes to each page, so that the kernel maps it.
inline void touch_pages(std::byte* bytes, std::size_t size) {
    auto* const touched = static_cast<volatile std::byte*>(bytes);
    for (std::size_t at = 0; at < size; at += page_to_touch) touched[at] = std::byte{1};
}

/// The nanoseconds between two readings of the clock with nothing between them.
[[nodiscard]] double cost_of_clock();

/// Rounds nanoseconds to two digits. The result is at least about 0.1, because the clock can be too
/// coarse for the cost of a small buffer.
[[nodiscard]] double two_digits(double cost);

struct measured_costs {
    /// Two digits each, so that the next measurement finds nearly the same values.
    std::vector<allocation_cost> allocator;
    /// The cost of one get and put of a buffer that is ready in the library's cache with its
    /// default policy. A cache costs this where it saves nothing.
    double cache = 0;
};

/// Takes a tenth of a second. Throws std::bad_alloc.
[[nodiscard]] measured_costs measure_costs();

}  // namespace freehold
