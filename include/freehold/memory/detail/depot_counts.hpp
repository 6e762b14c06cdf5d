// SPDX-License-Identifier: BSL-1.0
// How full a depot is. Relaxed in all accesses: the stacks and the mutex of the depot hand over
// what these count.
#pragma once

#include <freehold/config.hpp>

#include <atomic>
#include <cstddef>

namespace freehold::inline FREEHOLD_ABI::detail {

struct depot_counts {
    std::atomic<std::size_t> full{0};  // magazines
    std::atomic<std::size_t> free{0};  // blocks in magazines of the depot, or marked in chunks
    std::atomic<std::size_t> high_water{0};
    std::atomic<std::size_t> capacity{0};
    std::atomic<std::size_t> overflow{0};
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
