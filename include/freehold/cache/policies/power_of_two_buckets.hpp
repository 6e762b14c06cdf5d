// SPDX-License-Identifier: BSL-1.0
// The policy of a buffer_cache that has a bucket for each doubling of the size: few buckets, which
// fill soon, and buffers of nearly twice the size that was asked.
//
// Costs 24 bytes a bucket, and a walk over the bucket's entries for a get. Its constructor throws
// std::invalid_argument if buffers of more than 2^48 bytes are to be kept.
#pragma once

#include <freehold/cache/buffers/bucketed.hpp>
#include <freehold/cache/policies/geometric_buckets.hpp>

#include <cstddef>

namespace freehold::inline FREEHOLD_ABI {

class power_of_two_buckets : public detail::bucketed<detail::geometric_sizes> {
public:
    struct options {
        std::size_t entries = 4;                     // in each bucket
        std::size_t largest = std::size_t{1} << 20;  // bytes; larger ones are not kept
    };

    explicit power_of_two_buckets(const options& asked)
        : bucketed(detail::geometric_sizes(1, asked.largest), asked.entries) {}
};

}  // namespace freehold::inline FREEHOLD_ABI
