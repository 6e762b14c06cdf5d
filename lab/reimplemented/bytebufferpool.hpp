// SPDX-License-Identifier: BSL-1.0
// The rules of Go's valyala/bytebufferpool, and of the sync.Pool beneath it, as a policy of
// buffer_cache. For comparison.
//
// All sizes are kept together. A request gets the newest buffer of any size. If it is too small it
// grows: the cache makes a new buffer, and the old one becomes garbage. Requests are counted by
// size, in twenty powers of two from 64. When one count reaches 42,000, the most frequent size
// becomes the size of new buffers. The largest of the sizes that make up 95 % of all requests
// becomes the largest that is kept. A garbage collection frees the buffers that were not used since
// the previous one.
//
// Differences from the original:
// 1. Requests are counted when they are made. The original counts lengths when buffers are
//    returned.
// 2. There is one list. Go has one for each processor, and they take from each other.
// 3. Garbage is dropped at the next return, because a policy can drop blocks only then.
// 4. A collection takes place after each 4 MiB of allocations, the minimum of Go's pacer. The real
//    interval depends on the rest of the heap.
//
// Source: pool.go of valyala/bytebufferpool, 1.0; sync/pool.go of golang/go, 1.21.
#pragma once

#include <freehold/buffer/idle_lists.hpp>
#include <freehold/config.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <numeric>

namespace freehold::reimplemented {

class bytebufferpool : public list_policy {
public:
    struct options {
        std::size_t requests_a_calibration = 42'000;  // of one size
        double kept_share = 0.95;                     // of all requests
        std::size_t bytes_a_collection = std::size_t{4} << 20;
    };

    explicit bytebufferpool(const options& settings)
        : list_policy(idle_lists(1, lists)), options_(settings) {}

    [[nodiscard]] std::size_t capacity_for(std::size_t size) const noexcept {
        return std::max(size, size_of_new_);
    }

    [[nodiscard]] buffer_block* take(buffer_request request, buffer_context) noexcept {
        count(request.size);
        for (const std::size_t list : {used_lately, used_before}) {
            buffer_block* const block = lists_.take_newest(list, {1, 1});
            if (block == nullptr) continue;
            if (idle_lists::satisfies(*block, request)) {
                return block;
            }
            lists_.keep(garbage, *block, 0);
            break;
        }
        allocated_ += capacity_for(request.size);
        return nullptr;
    }

    void keep(buffer_block& block, buffer_context context, dropped_buffers& dropped) noexcept {
        if (largest_kept_ == 0 || block.capacity <= largest_kept_) {
            lists_.keep(used_lately, block, context.now);
        } else {
            dropped.push(block);
        }
        lists_.drop_all(garbage, dropped);
        if (allocated_ >= options_.bytes_a_collection) collect(dropped);
    }

private:
    // In the order in which trim drops them.
    static constexpr std::size_t garbage = 0;
    static constexpr std::size_t used_before = 1;  // but not since the last collection
    static constexpr std::size_t used_lately = 2;
    static constexpr std::size_t lists = 3;

    static constexpr std::size_t steps = 20;
    static constexpr std::size_t smallest_step = 64;

    void count(std::size_t size) noexcept {
        const auto bits = static_cast<std::size_t>(std::bit_width((size - 1) / smallest_step));
        if (++requests_[std::min(bits, steps - 1)] > options_.requests_a_calibration) calibrate();
    }

    void calibrate() noexcept {
        struct step {
            std::size_t requests;
            std::size_t size;
        };
        std::array<step, steps> by_requests;
        for (std::size_t i = 0; i < steps; ++i) by_requests[i] = {requests_[i], smallest_step << i};
        std::sort(by_requests.begin(), by_requests.end(), [](const step& a, const step& b) {
            return a.requests != b.requests ? a.requests > b.requests : a.size < b.size;
        });
        const auto all = std::accumulate(requests_.begin(), requests_.end(), std::size_t{0});
        const double enough = std::floor(static_cast<double>(all) * options_.kept_share);
        size_of_new_ = by_requests[0].size;
        largest_kept_ = 0;
        std::size_t counted = 0;
        for (const step& each : by_requests) {
            if (static_cast<double>(counted) > enough) break;
            counted += each.requests;
            largest_kept_ = std::max(largest_kept_, each.size);
        }
        requests_ = {};
    }

    void collect(dropped_buffers& dropped) noexcept {
        lists_.drop_all(used_before, dropped);
        while (lists_.count(used_lately) > 0) lists_.move_oldest(used_lately, used_before);
        allocated_ = 0;
    }

    options options_;
    std::array<std::size_t, steps> requests_{};  // since the last calibration
    std::size_t size_of_new_ = 0;
    std::size_t largest_kept_ = 0;  // 0: no limit
    std::size_t allocated_ = 0;     // bytes, since the last collection
};

}  // namespace freehold::reimplemented
