// SPDX-License-Identifier: BSL-1.0
// The policy of a buffer_cache that has a bucket for every so many bytes, 100 unless it is told
// otherwise: what "A cache with a bad policy is another name for a memory leak" (Raymond Chen,
// 2006) advises against waste. No buffer is larger than was asked by more than the width.
//
// Costs 24 bytes a bucket, and a walk over the bucket's entries for a get. Its constructor throws
// std::invalid_argument if the options make no sense.
#pragma once

#include <freehold/cache/buffers/bucketed.hpp>

#include <cstddef>
#include <stdexcept>

namespace freehold::inline FREEHOLD_ABI {

namespace detail {

class linear_sizes {
public:
    linear_sizes(std::size_t width, std::size_t largest) : width_(width), largest_(largest) {
        if (width == 0) {
            throw std::invalid_argument(
                "linear_buckets: width is 0; it is the bytes between buckets, at least 1");
        }
    }
    [[nodiscard]] std::size_t count() const noexcept { return largest_ / width_ + 1; }
    [[nodiscard]] std::size_t of(std::size_t size) const noexcept {
        return size <= largest_ ? size / width_ : count();
    }

private:
    std::size_t width_;
    std::size_t largest_;
};

}  // namespace detail

class linear_buckets : public detail::bucketed<detail::linear_sizes> {
public:
    struct options {
        std::size_t width = 100;      // bytes
        std::size_t entries = 4;      // in each bucket
        std::size_t largest = 65536;  // bytes; larger ones are not kept
    };

    explicit linear_buckets(const options& asked)
        : bucketed(detail::linear_sizes(asked.width, asked.largest), asked.entries) {}
};

}  // namespace freehold::inline FREEHOLD_ABI
