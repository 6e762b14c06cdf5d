// SPDX-License-Identifier: BSL-1.0
// What it is: a policy of buffer_cache that keeps the first buffers that are returned, if they are
// not larger than a cutoff. When the cache is full it drops what is returned, so the entries do not
// grow towards the cutoff.
// When to use it: to compare with, and as an example of a policy. greedy_dual_fit saves more time.
// Example: `freehold::buffer_cache<freehold::keep_first_below> cache({}, {.cutoff = 4096, .entries
// = 8});`
//
// Units: bytes.
// Complexity: a get is linear in the entries if none satisfies it; a put is constant.
// Thread safety: see buffer_policy.
// Exceptions: the constructor throws std::bad_alloc.
// Ownership: see buffer_policy.
// Source: the corrected policy in R. Chen, "A cache with a bad policy is another name for a memory
// leak" (2006).
#pragma once

#include <freehold/buffer/idle_lists.hpp>
#include <freehold/config.hpp>

#include <cstddef>

namespace freehold::inline FREEHOLD_ABI {

class keep_first_below : public list_policy {
public:
    // What the policy keeps.
    struct options {
        std::size_t cutoff = 200;  // bytes; larger buffers are not kept
        std::size_t entries = 1;   // the most buffers to keep
    };

    // Throws std::bad_alloc.
    explicit keep_first_below(const options& settings)
        : list_policy(idle_lists(1)), options_(settings) {}

    // Takes the newest block that satisfies the request, because its bytes are most likely in the
    // processor's caches.
    [[nodiscard]] buffer_block* take(buffer_request request, buffer_context) noexcept {
        return lists_.take_newest(0, request);
    }

    void keep(buffer_block& block, buffer_context context, dropped_buffers& dropped) noexcept {
        if (lists_.count(0) < options_.entries && block.capacity <= options_.cutoff) {
            lists_.keep(0, block, context.now);
        } else {
            dropped.push(block);
        }
    }

    // Drops the newest first, as if they had found the cache full.
    void trim(std::size_t bytes, buffer_context, dropped_buffers& dropped) noexcept {
        while (lists_.bytes() > bytes) lists_.drop_newest(0, dropped);
    }

private:
    options options_;
};

}  // namespace freehold::inline FREEHOLD_ABI
