// SPDX-License-Identifier: BSL-1.0
// What it is: a policy of buffer_cache with one bucket for each power of two. The buckets are few
// and fill soon, but a buffer may be nearly twice as large as requested. A full bucket drops what
// is returned.
// When to use it: to compare with. greedy_dual_fit saves more time with the same idle bytes.
// Example: `freehold::buffer_cache<freehold::power_of_two_buckets> cache({}, {.entries = 16});`
//
// Units: bytes. Each bucket takes 24 bytes.
// Complexity: a get is linear in the entries of its bucket; a put is constant.
// Thread safety: see buffer_policy.
// Exceptions: the constructor throws std::invalid_argument if `largest` exceeds 2^48, and
// std::bad_alloc.
// Ownership: see buffer_policy.
// Source: the simplest size classes of pools.
#pragma once

#include <freehold/buffer/policies/geometric_buckets.hpp>
#include <freehold/config.hpp>

#include <cstddef>

namespace freehold::inline FREEHOLD_ABI {

class power_of_two_buckets : public detail::bucket_policy<detail::geometric_sizes> {
public:
    // The buckets of the policy.
    struct options {
        std::size_t entries = 4;                     // in each bucket
        std::size_t largest = std::size_t{1} << 20;  // bytes; larger buffers are not kept
    };

    // Throws std::invalid_argument if `largest` exceeds 2^48, and std::bad_alloc.
    explicit power_of_two_buckets(const options& settings)
        : bucket_policy(detail::geometric_sizes(1, settings.largest), settings.entries) {}
};

}  // namespace freehold::inline FREEHOLD_ABI
