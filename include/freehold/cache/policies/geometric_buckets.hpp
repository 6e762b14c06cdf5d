// SPDX-License-Identifier: BSL-1.0
// The policy of a buffer_cache that has so many buckets, evenly spaced, for each doubling of the
// size: no buffer is larger than was asked by more than a fixed share, 1/4 with four.
//
// Costs 24 bytes a bucket, and a walk over the bucket's entries for a get. Its constructor throws
// std::invalid_argument if the options make no sense.
#pragma once

#include <freehold/cache/buffers/bucketed.hpp>

#include <bit>
#include <cstddef>
#include <stdexcept>

namespace freehold::inline FREEHOLD_ABI {

namespace detail {

// Bucket b holds sizes beyond 2^d * (1 + s / k), up to 2^d * (1 + (s + 1) / k), where k buckets are
// to a doubling, d = b / k and s = b % k.
class geometric_sizes {
public:
    geometric_sizes(std::size_t per_doubling, std::size_t largest)
        : per_doubling_(per_doubling), largest_(largest) {
        if (per_doubling == 0 || per_doubling > 1024 || largest > std::size_t{1} << 48) {
            throw std::invalid_argument(
                "geometric_buckets: there can be 1 to 1024 buckets to a doubling, and buffers of "
                "2^48 bytes at most");
        }
    }
    [[nodiscard]] std::size_t count() const noexcept { return index(largest_) + 1; }
    [[nodiscard]] std::size_t of(std::size_t size) const noexcept {
        return size <= largest_ ? index(size) : count();
    }

private:
    [[nodiscard]] std::size_t index(std::size_t size) const noexcept {
        if (size < 2) return 0;
        const auto doubling = static_cast<std::size_t>(std::bit_width(size - 1)) - 1;
        const std::size_t beyond = size - 1 - (std::size_t{1} << doubling);
        return doubling * per_doubling_ + ((beyond * per_doubling_) >> doubling);
    }

    std::size_t per_doubling_;
    std::size_t largest_;
};

}  // namespace detail

class geometric_buckets : public detail::bucketed<detail::geometric_sizes> {
public:
    struct options {
        std::size_t per_doubling = 4;
        std::size_t entries = 4;                     // in each bucket
        std::size_t largest = std::size_t{1} << 20;  // bytes; larger ones are not kept
    };

    explicit geometric_buckets(const options& asked)
        : bucketed(detail::geometric_sizes(asked.per_doubling, asked.largest), asked.entries) {}
};

}  // namespace freehold::inline FREEHOLD_ABI
