// SPDX-License-Identifier: BSL-1.0
// Policies that keep idle buffers in buckets by size and look for a buffer in the request's own
// bucket alone, so that what a request gets is larger by a bucket's width at most. A full bucket
// frees what comes back. A new buffer is as large as was asked.
//
// `Sizes` says which sizes share a bucket: `of(size)`, counted from the smallest sizes, and
// `count()`; what is beyond the last is not kept.
#pragma once

#include <freehold/cache/buffers/idle_lists.hpp>

#include <cstddef>

namespace freehold::inline FREEHOLD_ABI::detail {

template <class Sizes>
class bucketed : public policy_of_lists {
public:
    // Of several that satisfy it the one that came back last.
    [[nodiscard]] buffer_block* take(buffer_request request, buffer_occasion) noexcept {
        const std::size_t bucket = sizes_.of(request.size);
        return bucket < lists_.size() ? lists_.take_newest(bucket, request) : nullptr;
    }

    void keep(buffer_block& block, buffer_occasion occasion, dropped_buffers& dropped) noexcept {
        const std::size_t bucket = sizes_.of(block.capacity);
        if (bucket < lists_.size() && lists_.count(bucket) < entries_) {
            lists_.keep(bucket, block, occasion.now);
        } else {
            dropped.push(block);
        }
    }

protected:
    bucketed(Sizes sizes, std::size_t entries)
        : policy_of_lists(idle_lists(sizes.count())), sizes_(sizes), entries_(entries) {}
    ~bucketed() = default;

private:
    Sizes sizes_;
    std::size_t entries_;  // in each bucket, at most
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
