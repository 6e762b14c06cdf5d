// SPDX-License-Identifier: BSL-1.0
// The policy of a buffer_cache that keeps the first buffers that come back, of those below a size:
// the mended one of "A cache with a bad policy is another name for a memory leak" (Raymond Chen,
// 2006). No large buffer ever gets in, and one that comes back to a full cache is freed, whatever
// its size, so that the entries do not grow towards the cutoff.
//
// Costs a walk over the entries for a get that none of them satisfies.
#pragma once

#include <freehold/cache/buffers/idle_lists.hpp>

#include <cstddef>

namespace freehold::inline FREEHOLD_ABI {

class keep_first_below : public detail::policy_of_lists {
public:
    struct options {
        std::size_t cutoff = 200;  // bytes; the largest that is kept
        std::size_t entries = 1;
    };

    explicit keep_first_below(const options& asked)
        : policy_of_lists(detail::idle_lists(1)), asked_(asked) {}

    // Of several that satisfy it the one that came back last: its bytes are the likeliest to be in
    // the processor's caches still.
    [[nodiscard]] detail::buffer_block* take(buffer_request request, buffer_occasion) noexcept {
        return lists_.take_newest(0, request);
    }

    void keep(detail::buffer_block& block, buffer_occasion occasion,
              detail::dropped_buffers& dropped) noexcept {
        if (lists_.count(0) < asked_.entries && block.capacity <= asked_.cutoff) {
            lists_.keep(0, block, occasion.now);
        } else {
            dropped.push(block);
        }
    }

    // The last to come go first, as if they had found the cache full.
    void trim(std::size_t bytes, buffer_occasion, detail::dropped_buffers& dropped) noexcept {
        while (lists_.bytes() > bytes) lists_.drop_newest(0, dropped);
    }

private:
    options asked_;
};

}  // namespace freehold::inline FREEHOLD_ABI
