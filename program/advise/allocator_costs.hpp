// SPDX-License-Identifier: BSL-1.0
// What a buffer costs of the allocator that this process runs with: nanoseconds for getting it,
// the faults of touching its pages for the first time, and giving it back. It is what a cache
// saves with each hit, and it differs by four orders of magnitude between 64 bytes and 1 MiB; so
// hits are weighed by it, not counted. With another allocator preloaded, that one is measured.
#pragma once

#include <freehold/cache/buffers/allocation_costs.hpp>

#include <vector>

namespace freehold {

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
