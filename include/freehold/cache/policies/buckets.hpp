// SPDX-License-Identifier: BSL-1.0
// What they are: policies of buffer_cache that keep idle buffers in buckets by size. A request
// looks into the bucket of its own size only, so a buffer is larger than requested by at most the
// width of a bucket. A full bucket drops what is returned. A new buffer has exactly the requested
// size.
//
// | policy | buckets | largest waste of a buffer |
// |---|---|---|
// | linear_buckets | one for each `width` bytes | `width` bytes |
// | geometric_buckets | `per_doubling` for each power of two | 1 / `per_doubling` of the request |
// | power_of_two_buckets | one for each power of two | as much as the request |
//
// When to use them: to compare with. greedy_dual_fit saves more time with the same idle bytes.
// Example: `freehold::buffer_cache<freehold::linear_buckets> cache({}, {.width = 256});`
//
// Units: bytes. Each bucket takes 24 bytes.
// Complexity: a get is linear in the entries of its bucket; a put is constant.
// Thread safety: see buffer_policy.
// Exceptions: the constructors throw std::invalid_argument if the options make no sense, and
// std::bad_alloc.
// Ownership: see buffer_policy.
// Source: for linear_buckets R. Chen, "A cache with a bad policy is another name for a memory leak"
// (2006).
#pragma once

#include <freehold/cache/detail/idle_lists.hpp>

#include <bit>
#include <cstddef>
#include <stdexcept>

namespace freehold {

namespace detail {

// The policies' common part. `Sizes` maps a size to its bucket: of(size) numbers the buckets by
// increasing size, count() is their number, and of() returns count() for sizes that are not kept.
template <class Sizes>
class bucket_policy : public list_policy {
public:
    // Takes the newest block that satisfies the request.
    [[nodiscard]] buffer_block* take(buffer_request request, buffer_context) noexcept {
        const std::size_t bucket = sizes_.of(request.size);
        return bucket < lists_.size() ? lists_.take_newest(bucket, request) : nullptr;
    }

    void keep(buffer_block& block, buffer_context context, dropped_buffers& dropped) noexcept {
        const std::size_t bucket = sizes_.of(block.capacity);
        if (bucket < lists_.size() && lists_.count(bucket) < entries_) {
            lists_.keep(bucket, block, context.now);
        } else {
            dropped.push(block);
        }
    }

protected:
    bucket_policy(Sizes sizes, std::size_t entries)
        : list_policy(idle_lists(sizes.count())), sizes_(sizes), entries_(entries) {}
    ~bucket_policy() = default;

private:
    Sizes sizes_;
    std::size_t entries_;  // the bound for each bucket
};

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

class linear_buckets : public detail::bucket_policy<detail::linear_sizes> {
public:
    struct options {
        std::size_t width = 100;      // bytes
        std::size_t entries = 4;      // in each bucket
        std::size_t largest = 65536;  // bytes; larger buffers are not kept
    };

    explicit linear_buckets(const options& asked)
        : bucket_policy(detail::linear_sizes(asked.width, asked.largest), asked.entries) {}
};

class geometric_buckets : public detail::bucket_policy<detail::geometric_sizes> {
public:
    struct options {
        std::size_t per_doubling = 4;
        std::size_t entries = 4;                     // in each bucket
        std::size_t largest = std::size_t{1} << 20;  // bytes; larger buffers are not kept
    };

    explicit geometric_buckets(const options& asked)
        : bucket_policy(detail::geometric_sizes(asked.per_doubling, asked.largest), asked.entries) {
    }
};

class power_of_two_buckets : public detail::bucket_policy<detail::geometric_sizes> {
public:
    struct options {
        std::size_t entries = 4;                     // in each bucket
        std::size_t largest = std::size_t{1} << 20;  // bytes; larger buffers are not kept
    };

    explicit power_of_two_buckets(const options& asked)
        : bucket_policy(detail::geometric_sizes(1, asked.largest), asked.entries) {}
};

}  // namespace freehold
