// SPDX-License-Identifier: BSL-1.0
// What it is: a policy of buffer_cache with one bucket for each `width` bytes. A buffer is larger
// than requested by less than `width`. A full bucket drops what is returned.
// When to use it: to compare with. greedy_dual_fit saves more time with the same idle bytes.
// Example: `freehold::buffer_cache<freehold::linear_buckets> cache({}, {.width = 256});`
//
// Units: bytes. Each bucket takes 24 bytes.
// Complexity: a get is linear in the entries of its bucket; a put is constant.
// Thread safety: see buffer_policy.
// Exceptions: the constructor throws std::invalid_argument if `width` is 0, and std::bad_alloc.
// Ownership: see buffer_policy.
// Source: R. Chen, "A cache with a bad policy is another name for a memory leak" (2006).
#pragma once

#include <freehold/buffer/detail/bucket_policy.hpp>
#include <freehold/config.hpp>

#include <cstddef>
#include <stdexcept>

namespace freehold::inline FREEHOLD_ABI {

namespace detail {

class linear_sizes {
public:
    linear_sizes(std::size_t width, std::size_t largest) : width_(width), largest_(largest) {
        if (width == 0) {
            throw std::invalid_argument("linear_buckets: width is 0; it must be at least 1 byte");
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

class linear_buckets : public detail::bucket_policy<detail::linear_sizes> {
public:
    // The buckets of the policy.
    struct options {
        std::size_t width = 100;      // bytes
        std::size_t entries = 4;      // in each bucket
        std::size_t largest = 65536;  // bytes; larger buffers are not kept
    };

    // Throws std::bad_alloc.
    explicit linear_buckets(const options& settings)
        : bucket_policy(detail::linear_sizes(settings.width, settings.largest), settings.entries) {}
};

}  // namespace freehold::inline FREEHOLD_ABI
