// SPDX-License-Identifier: BSL-1.0
// What it is: a policy of buffer_cache that divides each power of two evenly into `per_doubling`
// buckets. A buffer is larger than requested by at most 1 / `per_doubling`. A full bucket drops
// what is returned.
// When to use it: to compare with. greedy_dual_fit saves more time with the same idle bytes.
// Example: `freehold::buffer_cache<freehold::geometric_buckets> cache({}, {.per_doubling = 8});`
//
// Units: bytes. Each bucket takes 24 bytes.
// Complexity: a get is linear in the entries of its bucket; a put is constant.
// Thread safety: see buffer_policy.
// Exceptions: the constructor throws std::invalid_argument if `per_doubling` is not in 1 to 1024 or
// `largest` exceeds 2^48, and std::bad_alloc.
// Ownership: see buffer_policy.
// Source: the size classes of general allocators such as jemalloc.
#pragma once

#include <freehold/buffer/detail/bucket_policy.hpp>
#include <freehold/config.hpp>

#include <bit>
#include <cstddef>
#include <stdexcept>

namespace freehold::inline FREEHOLD_ABI {

namespace detail {

// Bucket b holds sizes above 2^d * (1 + s / k), up to 2^d * (1 + (s + 1) / k), for k buckets per
// power of two, d = b / k and s = b % k.
class geometric_sizes {
public:
    geometric_sizes(std::size_t per_doubling, std::size_t largest)
        : per_doubling_(per_doubling), largest_(largest) {
        if (per_doubling == 0 || per_doubling > 1024 || largest > std::size_t{1} << 48) {
            throw std::invalid_argument(
                "geometric_buckets, power_of_two_buckets: per_doubling must be 1 to 1024, and "
                "largest must be at most 2^48");
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

class geometric_buckets : public detail::bucket_policy<detail::geometric_sizes> {
public:
    // The buckets of the policy.
    struct options {
        std::size_t per_doubling = 4;                // buckets from a size to its double
        std::size_t entries = 4;                     // in each bucket
        std::size_t largest = std::size_t{1} << 20;  // bytes; larger buffers are not kept
    };

    // Throws std::bad_alloc.
    explicit geometric_buckets(const options& settings)
        : bucket_policy(detail::geometric_sizes(settings.per_doubling, settings.largest),
                        settings.entries) {}
};

}  // namespace freehold::inline FREEHOLD_ABI
