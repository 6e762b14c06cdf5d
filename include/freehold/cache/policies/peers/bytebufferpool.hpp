// SPDX-License-Identifier: BSL-1.0
// The rules of Go's valyala/bytebufferpool, and of the sync.Pool beneath it, as a policy of a
// buffer_cache, to compare others with.
//
// All sizes are kept together. A request gets the buffer that came back last, whatever its size; if
// that is too small, it grows: a new one is made and that one is garbage. Requests are counted by
// size, in twenty powers of two from 64; when one of these has been counted 42,000 times, the most
// frequent becomes the size of new buffers, and the largest of those that make up 95 % of all
// requests becomes the largest that is kept. At a garbage collection of Go's those go that have not
// been used since the one before.
//
// Four things differ: requests are counted when they come, where the original counts lengths when
// buffers come back; one list stands for Go's one of each processor, which take from each other;
// garbage goes when the next buffer comes back, which is when a policy can let some go; and a
// collection takes place whenever 4 MiB have been allocated, the least that Go's pacer waits for,
// since how much it adds depends on all else that the program has in its heap.
//
// Source: pool.go of valyala/bytebufferpool, 1.0; sync/pool.go of golang/go, 1.21.
#pragma once

#include <freehold/cache/buffers/idle_lists.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <numeric>

namespace freehold::inline FREEHOLD_ABI::peers {

class bytebufferpool : public detail::policy_of_lists {
public:
    struct options {
        std::size_t requests_a_calibration = 42'000;  // of one size
        double kept_share = 0.95;                     // of all requests
        std::size_t bytes_a_collection = std::size_t{4} << 20;
    };

    explicit bytebufferpool(const options& asked)
        : policy_of_lists(detail::idle_lists(1, lists)), asked_(asked) {}

    [[nodiscard]] std::size_t capacity_for(std::size_t size) const noexcept {
        return std::max(size, size_of_new_);
    }

    [[nodiscard]] detail::buffer_block* take(buffer_request request, buffer_occasion) noexcept {
        count(request.size);
        for (const std::size_t list : {used_lately, used_before}) {
            detail::buffer_block* const block = lists_.take_newest(list, {1, 1});
            if (block == nullptr) continue;
            if (detail::idle_lists::satisfies(*block, request)) {
                return block;
            }
            lists_.keep(garbage, *block, 0);
            break;
        }
        allocated_ += capacity_for(request.size);
        return nullptr;
    }

    void keep(detail::buffer_block& block, buffer_occasion occasion,
              detail::dropped_buffers& dropped) noexcept {
        if (largest_kept_ == 0 || block.capacity <= largest_kept_) {
            lists_.keep(used_lately, block, occasion.now);
        } else {
            dropped.push(block);
        }
        lists_.drop_all(garbage, dropped);
        if (allocated_ >= asked_.bytes_a_collection) collect(dropped);
    }

private:
    // In the order in which trimming takes them.
    static constexpr std::size_t garbage = 0;
    static constexpr std::size_t used_before = 1;  // and not since the last collection
    static constexpr std::size_t used_lately = 2;
    static constexpr std::size_t lists = 3;

    static constexpr std::size_t steps = 20;
    static constexpr std::size_t smallest_step = 64;

    void count(std::size_t size) noexcept {
        const auto bits = static_cast<std::size_t>(std::bit_width((size - 1) / smallest_step));
        if (++requests_[std::min(bits, steps - 1)] > asked_.requests_a_calibration) calibrate();
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
        const double enough = std::floor(static_cast<double>(all) * asked_.kept_share);
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

    void collect(detail::dropped_buffers& dropped) noexcept {
        lists_.drop_all(used_before, dropped);
        while (lists_.count(used_lately) > 0) lists_.move_oldest(used_lately, used_before);
        allocated_ = 0;
    }

    options asked_;
    std::array<std::size_t, steps> requests_{};  // since the last calibration
    std::size_t size_of_new_ = 0;
    std::size_t largest_kept_ = 0;  // 0: any
    std::size_t allocated_ = 0;     // bytes, since the last collection
};

}  // namespace freehold::inline FREEHOLD_ABI::peers
