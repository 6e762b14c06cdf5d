// SPDX-License-Identifier: BSL-1.0
// The rules of Jetty's ArrayByteBufferPool as a policy of buffer_cache. For comparison.
//
// Sizes up to 64 KiB are rounded up to multiples of 4 KiB. All threads together keep any number of
// each. If the idle bytes exceed a bound, one buffer of each size is dropped, starting with a
// random size, until the bound holds or each size had its turn. Larger buffers are not kept.
//
// Differences from the original:
// 1. The bound is checked at each return. Jetty checks at a buffer's first return and at every
//    hundredth.
// 2. The last buffer returned is the first reused. Jetty starts at an entry that depends on the
//    thread.
//
// Each of the 16 sizes takes 24 bytes. The constructor throws std::invalid_argument if the options
// make no sense.
//
// Source: ArrayByteBufferPool.java of jetty/jetty.project, Jetty 12. The bound is that of a process
// with 2 GiB of heap: an eighth.
#pragma once

#include <freehold/buffer/idle_lists.hpp>
#include <freehold/config.hpp>

#include <cstddef>
#include <cstdint>
#include <stdexcept>

namespace freehold::reimplemented {

class jetty : public list_policy {
public:
    struct options {
        std::size_t factor = 4096;                       // bytes between sizes
        std::size_t largest = 65536;                     // a multiple of factor
        std::size_t entries = std::size_t{1} << 31;      // of each size
        std::size_t most_idle = std::size_t{256} << 20;  // bytes
    };

    explicit jetty(const options& settings)
        : list_policy(idle_lists(sizes(settings))), options_(settings) {}

    [[nodiscard]] std::size_t capacity_for(std::size_t size) const noexcept {
        return size <= options_.largest ? (size_of(size) + 1) * options_.factor : size;
    }

    [[nodiscard]] buffer_block* take(buffer_request request, buffer_context) noexcept {
        return request.size <= options_.largest ? lists_.take_newest(size_of(request.size), request)
                                                : nullptr;
    }

    void keep(buffer_block& block, buffer_context context, dropped_buffers& dropped) noexcept {
        const std::size_t size = size_of(block.capacity);
        if (size >= lists_.size() || lists_.count(size) >= options_.entries) {
            dropped.push(block);
            return;
        }
        lists_.keep(size, block, context.now);
        if (lists_.bytes() > options_.most_idle) evict(dropped);
    }

private:
    [[nodiscard]] static std::size_t sizes(const options& settings) {
        if (settings.factor == 0 || settings.largest == 0 ||
            settings.largest % settings.factor != 0) {
            throw std::invalid_argument(
                "reimplemented::jetty: largest must be a positive multiple of factor");
        }
        return settings.largest / settings.factor;
    }
    [[nodiscard]] std::size_t size_of(std::size_t bytes) const noexcept {
        return (bytes - 1) / options_.factor;
    }

    void evict(dropped_buffers& dropped) noexcept {
        // Marsaglia's xorshift with the shifts 13, 17 and 5.
        chance_ ^= chance_ << 13;
        chance_ ^= chance_ >> 17;
        chance_ ^= chance_ << 5;
        const std::size_t first = chance_ % lists_.size();
        for (std::size_t i = 0; i < lists_.size() && lists_.bytes() > options_.most_idle; ++i) {
            const std::size_t size = (first + i) % lists_.size();
            if (lists_.count(size) > 0) lists_.drop_oldest(size, dropped);
        }
    }

    options options_;
    std::uint32_t chance_ = 1;  // never 0
};

}  // namespace freehold::reimplemented
