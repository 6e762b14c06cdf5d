// SPDX-License-Identifier: BSL-1.0
// The counters of one thread cache, for statistics. The thread that uses the cache writes them, any
// thread may read them.
//
// get and put change different counters. Two changes of one memory location would wait for each
// other, and that wait would be most of the cost of a get and put. A get and put together cost two
// additions; every 128th of a size class costs about ten more. Requests for 2 MiB or more cost six.
// Each size class takes 112 bytes.
#pragma once

#include <freehold/buffer/buffer_block.hpp>
#include <freehold/buffer/detail/packed_counter.hpp>
#include <freehold/buffer/size_class.hpp>
#include <freehold/config.hpp>
#include <freehold/detail/in_register.hpp>

#include <cstddef>
#include <cstdint>

namespace freehold::inline FREEHOLD_ABI::detail {

// A counter that one thread adds to and any thread reads.
class single_writer_counter {
public:
    void add(std::uint64_t more) noexcept {
        // A plain load: only this thread writes. release, with the acquire in get: a thread that
        // reads the sum also sees what the writer counted before it.
        __atomic_store_n(&sum_, sum_ + more, __ATOMIC_RELEASE);
    }
    [[nodiscard]] std::uint64_t get() const noexcept {
        return __atomic_load_n(&sum_, __ATOMIC_ACQUIRE);
    }

private:
    std::uint64_t sum_ = 0;
};

class __attribute__((visibility("default"))) buffer_counters {
public:
    struct class_sums {
        // By the class of the requested size.
        std::uint64_t requests = 0;
        std::uint64_t misses = 0;
        // By the class of the buffer's capacity, as everything below.
        std::uint64_t bytes_asked = 0;
        std::uint64_t bytes_handed_out = 0;
        // What was returned of these.
        std::uint64_t returns = 0;
        std::uint64_t bytes_asked_returned = 0;
        std::uint64_t bytes_returned = 0;
        // New buffers, and buffers that were dropped or evicted.
        std::uint64_t bytes_new = 0;
        std::uint64_t drops = 0;
        std::uint64_t evictions = 0;
        std::uint64_t bytes_gone = 0;
    };

    // Counts a request for less than packed_counter::size_limit bytes that got an idle buffer. If
    // it returns false, the caller must call complete_hit with the same arguments before it counts
    // anything else.
    [[nodiscard, gnu::always_inline]] bool record_hit(const buffer_block& block,
                                                      std::size_t size) noexcept {
        const std::size_t index = size_class::of(size);
        if (index != block.size_class) [[unlikely]]
            return false;
        return !in_register(&packed_[index])->handed_out.add(size, block.capacity);
    }
    void complete_hit(const buffer_block& block, std::size_t size) noexcept;
    // As record_hit and complete_hit, for a request of any size.
    void record_hit_slowly(const buffer_block& block, std::size_t size) noexcept {
        if (size >= packed_counter::size_limit) return add_hit(block, size);
        if (!record_hit(block, size)) complete_hit(block, size);
    }
    void record_miss(const buffer_block& made, std::size_t size) noexcept;
    // To be called before the block is kept or dropped, while it still holds the requested size. If
    // it returns false, the caller must call complete_return before it counts anything else.
    [[nodiscard, gnu::always_inline]] bool record_return(const buffer_block& block) noexcept {
        const std::size_t index = block.size_class;
        if (index >= first_unpacked_class) [[unlikely]]
            return false;
        return !in_register(&packed_[index])->returned.add(block.size, block.capacity);
    }
    void complete_return(const buffer_block& block) noexcept;
    void record_return_slowly(const buffer_block& block) noexcept {
        if (!record_return(block)) complete_return(block);
    }
    void record_drop(const buffer_block& block) noexcept;
    void record_eviction(const buffer_block& block) noexcept;

    void record_remote_return() noexcept { remote_returns_.add(1); }

    // Any thread may call this. Each number was right at some moment of the call.
    [[nodiscard]] class_sums of_class(std::size_t index) const noexcept;

    [[nodiscard]] std::uint64_t remote_returns() const noexcept { return remote_returns_.get(); }

private:
    // Counts requests that got a buffer of their own class.
    struct packed_counters {
        packed_counter handed_out;
        packed_counter returned;
    };
    // Holds the sums drained from the packed counters, and everything that these do not count.
    struct wide_counters {
        single_writer_counter requests;
        single_writer_counter misses;
        single_writer_counter bytes_asked;
        single_writer_counter bytes_handed_out;
        single_writer_counter returns;
        single_writer_counter bytes_asked_returned;
        single_writer_counter bytes_returned;
        single_writer_counter bytes_new;
        single_writer_counter drops;
        single_writer_counter evictions;
        single_writer_counter bytes_gone;
        // Odd while a packed counter is drained: its contents are then neither there nor yet in the
        // sums.
        single_writer_counter version;
    };

    // The first class whose sizes are too large for a packed counter.
    static constexpr std::size_t first_unpacked_class = size_class::of(packed_counter::size_limit);

    void add_hit(const buffer_block& block, std::size_t size) noexcept;
    static void add_returned(wide_counters& to, const event_sums& more) noexcept;

    void drain_handed_out(std::size_t index) noexcept;
    void drain_returned(std::size_t index) noexcept;

    alignas(64) packed_counters packed_[size_class::count];
    wide_counters wide_[size_class::count];
    single_writer_counter remote_returns_;
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
