// SPDX-License-Identifier: BSL-1.0
// The rules of the thread caches of Netty's PooledByteBufAllocator as a policy of buffer_cache. For
// comparison.
//
// Sizes up to 4 MiB are rounded up to four per power of two. Each thread keeps the buffers up to 32
// KiB that it requested, whichever thread returns them: 256 of each size below 32 KiB, 64 of 32
// KiB, first in, first out. Every 8192 requests it sweeps: for each size it drops as many of the
// oldest buffers as the hits since the last sweep are fewer than the bound.
//
// Differences from the original:
// 1. A sweep waits for the next return, because a policy can drop blocks only then.
// 2. Dropped blocks are freed. Netty's arena may keep the pages.
//
// Each of the 36 sizes of a thread takes 28 bytes.
//
// Source: PoolThreadCache.java, SizeClasses.java and the defaults of PooledByteBufAllocator.java in
// netty/netty, 4.1.
#pragma once

#include <freehold/buffer/idle_lists.hpp>
#include <freehold/config.hpp>

#include "reimplemented/quarter_sizes.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace freehold::reimplemented {

class netty : public list_policy {
public:
    static constexpr bool per_thread = true;

    struct options {
        std::size_t small_entries = 256;      // of each size below 32 KiB
        std::size_t normal_entries = 64;      // of each larger size
        std::size_t largest = 32 * 1024;      // bytes; larger buffers are not kept
        std::size_t requests_a_sweep = 8192;  // at least 1
    };

    explicit netty(const options& settings)
        : list_policy(idle_lists(
              quarter_sizes::index(std::clamp(settings.largest, std::size_t{1}, chunk) + 1))),
          options_(settings),
          hits_(lists_.size()) {}

    [[nodiscard]] std::size_t capacity_for(std::size_t size) const noexcept {
        return size <= chunk ? quarter_sizes::round_up(size) : size;
    }

    [[nodiscard]] buffer_block* take(buffer_request request, buffer_context) noexcept {
        if (request.size > chunk) return nullptr;
        const std::size_t size = quarter_sizes::index(request.size);
        if (size >= lists_.size()) return nullptr;
        ++requests_;
        buffer_block* const block = lists_.take_oldest(size, request);
        if (block != nullptr) ++hits_[size];
        return block;
    }

    void keep(buffer_block& block, buffer_context context, dropped_buffers& dropped) noexcept {
        const std::size_t size = quarter_sizes::index(std::min(block.capacity, chunk + 1));
        if (size >= lists_.size() || lists_.count(size) == places(size)) {
            dropped.push(block);
        } else {
            lists_.keep(size, block, context.now);
        }
        if (requests_ >= options_.requests_a_sweep) sweep(dropped);
    }

private:
    static constexpr std::size_t chunk = std::size_t{4} << 20;
    static constexpr std::size_t smallest_normal = 32 * 1024;

    [[nodiscard]] std::size_t places(std::size_t size) const noexcept {
        return quarter_sizes::size(size) < smallest_normal ? options_.small_entries
                                                           : options_.normal_entries;
    }

    void sweep(dropped_buffers& dropped) noexcept {
        requests_ = 0;
        for (std::size_t size = 0; size < lists_.size(); ++size) {
            for (std::size_t used = hits_[size]; used < places(size) && lists_.count(size) > 0;
                 ++used) {
                lists_.drop_oldest(size, dropped);
            }
            hits_[size] = 0;
        }
    }

    options options_;
    std::size_t requests_ = 0;  // since the last sweep
    std::vector<std::uint32_t> hits_;
};

}  // namespace freehold::reimplemented
