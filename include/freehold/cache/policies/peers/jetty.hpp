// SPDX-License-Identifier: BSL-1.0
// The rules of Jetty's ArrayByteBufferPool as a policy of a buffer_cache, to compare others with.
//
// Sizes up to 64 KiB are rounded up to multiples of 4 KiB, of each of which any number is kept, by
// all threads together. If that is more than so many bytes, one buffer of each size goes, from a
// size by chance on, until it no longer is or all sizes had their turn. Larger ones are not kept.
//
// Two things differ: the bytes are looked at whenever a buffer comes back, where Jetty looks when
// that is its first time and at every hundredth; and of each size the last to come back is the
// first to go out, where Jetty starts at a place that depends on the thread.
//
// Costs 24 bytes for each of 16 sizes. Its constructor throws std::invalid_argument if the options
// make no sense.
// Source: ArrayByteBufferPool.java of jetty/jetty.project, Jetty 12. The bound is that of a process
// with 2 GiB of heap: an eighth.
#pragma once

#include <freehold/cache/buffers/idle_lists.hpp>

#include <cstddef>
#include <cstdint>
#include <stdexcept>

namespace freehold::inline FREEHOLD_ABI::peers {

class jetty : public detail::policy_of_lists {
public:
    struct options {
        std::size_t factor = 4096;                       // bytes between sizes
        std::size_t largest = 65536;                     // a multiple of it
        std::size_t entries = std::size_t{1} << 31;      // of each size
        std::size_t most_idle = std::size_t{256} << 20;  // bytes
    };

    explicit jetty(const options& asked)
        : policy_of_lists(detail::idle_lists(sizes(asked))), asked_(asked) {}

    [[nodiscard]] std::size_t capacity_for(std::size_t size) const noexcept {
        return size <= asked_.largest ? (size_of(size) + 1) * asked_.factor : size;
    }

    [[nodiscard]] detail::buffer_block* take(buffer_request request, buffer_occasion) noexcept {
        return request.size <= asked_.largest ? lists_.take_newest(size_of(request.size), request)
                                              : nullptr;
    }

    void keep(detail::buffer_block& block, buffer_occasion occasion,
              detail::dropped_buffers& dropped) noexcept {
        const std::size_t size = size_of(block.capacity);
        if (size >= lists_.size() || lists_.count(size) >= asked_.entries) {
            dropped.push(block);
            return;
        }
        lists_.keep(size, block, occasion.now);
        if (lists_.bytes() > asked_.most_idle) evict(dropped);
    }

private:
    [[nodiscard]] static std::size_t sizes(const options& asked) {
        if (asked.factor == 0 || asked.largest == 0 || asked.largest % asked.factor != 0) {
            throw std::invalid_argument("peers::jetty: largest is no multiple of factor");
        }
        return asked.largest / asked.factor;
    }
    [[nodiscard]] std::size_t size_of(std::size_t bytes) const noexcept {
        return (bytes - 1) / asked_.factor;
    }

    void evict(detail::dropped_buffers& dropped) noexcept {
        // Marsaglia's xorshift, with the shifts 13, 17 and 5.
        chance_ ^= chance_ << 13;
        chance_ ^= chance_ >> 17;
        chance_ ^= chance_ << 5;
        const std::size_t first = chance_ % lists_.size();
        for (std::size_t i = 0; i < lists_.size() && lists_.bytes() > asked_.most_idle; ++i) {
            const std::size_t size = (first + i) % lists_.size();
            if (lists_.count(size) > 0) lists_.drop_oldest(size, dropped);
        }
    }

    options asked_;
    std::uint32_t chance_ = 1;  // never 0
};

}  // namespace freehold::inline FREEHOLD_ABI::peers
