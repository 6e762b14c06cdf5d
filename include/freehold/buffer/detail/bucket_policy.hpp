// SPDX-License-Identifier: BSL-1.0
// The base of policies that keep idle buffers in buckets by size. A request looks into the bucket
// of its own size only, so a buffer is larger than requested by at most the width of a bucket. A
// full bucket drops what is returned. A new buffer has exactly the requested size.
#pragma once

#include <freehold/buffer/idle_lists.hpp>
#include <freehold/config.hpp>

#include <cstddef>

namespace freehold::inline FREEHOLD_ABI::detail {

// `Sizes` maps a size to its bucket: of(size) numbers the buckets by increasing size, count() is
// their number, and of() returns count() for sizes that are not kept.
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
    // `entries` is the largest number of idle buffers in each bucket.
    bucket_policy(Sizes sizes, std::size_t entries)
        : list_policy(idle_lists(sizes.count())), sizes_(sizes), entries_(entries) {}
    ~bucket_policy() = default;

private:
    Sizes sizes_;
    std::size_t entries_;  // the bound for each bucket
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
