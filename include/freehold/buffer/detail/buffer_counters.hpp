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

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace freehold::inline FREEHOLD_ABI::detail {

// A counter that one thread adds to and any thread reads.
class single_writer_counter {
public:
    void add(std::uint64_t more) noexcept {
        // relaxed load: only this thread writes. release, with the acquire in get: a thread that
        // reads the sum also sees what the writer counted before it.
        sum_.store(sum_.load(std::memory_order_relaxed) + more, std::memory_order_release);
    }
    [[nodiscard]] std::uint64_t get() const noexcept {
        return sum_.load(std::memory_order_acquire);
    }

private:
    std::atomic<std::uint64_t> sum_{0};
};

// Counted on slow paths, even if the cache has no other counters.
struct upstream_counters {
    single_writer_counter bytes_taken;
    single_writer_counter bytes_given;
};

class buffer_counters {
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
    void complete_hit(const buffer_block& block, std::size_t size) noexcept {
        const std::size_t index = size_class::of(size);
        index == block.size_class ? drain_handed_out(index) : add_hit(block, size);
    }
    // As record_hit and complete_hit, for a request of any size.
    void record_hit_slowly(const buffer_block& block, std::size_t size) noexcept {
        if (size >= packed_counter::size_limit) return add_hit(block, size);
        if (!record_hit(block, size)) complete_hit(block, size);
    }
    void record_miss(const buffer_block& made, std::size_t size) noexcept {
        record_hit_slowly(made, size);
        wide_[size_class::of(size)].misses.add(1);
        wide_[made.size_class].bytes_new.add(made.capacity);
    }
    // To be called before the block is kept or dropped, while it still holds the requested size. If
    // it returns false, the caller must call complete_return before it counts anything else.
    [[nodiscard, gnu::always_inline]] bool record_return(const buffer_block& block) noexcept {
        const std::size_t index = block.size_class;
        if (index >= first_unpacked_class) [[unlikely]]
            return false;
        return !in_register(&packed_[index])->returned.add(block.size, block.capacity);
    }
    void complete_return(const buffer_block& block) noexcept {
        const std::size_t index = block.size_class;
        if (index < first_unpacked_class) return drain_returned(index);
        add_returned(wide_[index], {1, block.size, block.capacity});
    }
    void record_return_slowly(const buffer_block& block) noexcept {
        if (!record_return(block)) complete_return(block);
    }
    void record_drop(const buffer_block& block) noexcept {
        wide_[block.size_class].drops.add(1);
        wide_[block.size_class].bytes_gone.add(block.capacity);
    }
    void record_eviction(const buffer_block& block) noexcept {
        wide_[block.size_class].evictions.add(1);
        wide_[block.size_class].bytes_gone.add(block.capacity);
    }

    void record_remote_return() noexcept { remote_returns_.add(1); }

    // Any thread may call this. Each number was right at some moment of the call.
    [[nodiscard]] class_sums of_class(std::size_t index) const noexcept {
        const wide_counters& wide = wide_[index];
        class_sums sums;
        std::uint64_t version = 0;
        do {
            // What is read from here on is at least as new as this version. If any of it is newer,
            // so is the version that is read at the end.
            version = wide.version.get();
            // Reads the returned buffers first: what was returned has been handed out before, and
            // is found there.
            const event_sums returned = packed_[index].returned.get();
            sums.returns = wide.returns.get() + returned.events;
            sums.bytes_asked_returned = wide.bytes_asked_returned.get() + returned.asked;
            sums.bytes_returned = wide.bytes_returned.get() + returned.handed_out;
            const event_sums handed_out = packed_[index].handed_out.get();
            sums.requests = wide.requests.get() + handed_out.events;
            sums.bytes_asked = wide.bytes_asked.get() + handed_out.asked;
            sums.bytes_handed_out = wide.bytes_handed_out.get() + handed_out.handed_out;
        } while (version % 2 != 0 || wide.version.get() != version);
        sums.misses = wide.misses.get();
        sums.bytes_new = wide.bytes_new.get();
        sums.drops = wide.drops.get();
        sums.evictions = wide.evictions.get();
        sums.bytes_gone = wide.bytes_gone.get();
        return sums;
    }

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

    void add_hit(const buffer_block& block, std::size_t size) noexcept {
        wide_[size_class::of(size)].requests.add(1);
        wide_[block.size_class].bytes_asked.add(size);
        wide_[block.size_class].bytes_handed_out.add(block.capacity);
    }
    static void add_returned(wide_counters& to, const event_sums& more) noexcept {
        to.returns.add(more.events);
        to.bytes_asked_returned.add(more.asked);
        to.bytes_returned.add(more.handed_out);
    }

    void drain_handed_out(std::size_t index) noexcept {
        wide_counters& wide = wide_[index];
        wide.version.add(1);
        const event_sums more = packed_[index].handed_out.drain();
        wide.requests.add(more.events);
        wide.bytes_asked.add(more.asked);
        wide.bytes_handed_out.add(more.handed_out);
        wide.version.add(1);
    }
    void drain_returned(std::size_t index) noexcept {
        wide_counters& wide = wide_[index];
        wide.version.add(1);
        add_returned(wide, packed_[index].returned.drain());
        wide.version.add(1);
    }

    alignas(64) std::array<packed_counters, size_class::count> packed_;
    std::array<wide_counters, size_class::count> wide_;
    single_writer_counter remote_returns_;
};

// The same interface, without counting.
struct no_counters {
    static bool record_hit(const buffer_block&, std::size_t) noexcept { return true; }
    static void complete_hit(const buffer_block&, std::size_t) noexcept {}
    static void record_hit_slowly(const buffer_block&, std::size_t) noexcept {}
    static void record_miss(const buffer_block&, std::size_t) noexcept {}
    static bool record_return(const buffer_block&) noexcept { return true; }
    static void complete_return(const buffer_block&) noexcept {}
    static void record_return_slowly(const buffer_block&) noexcept {}
    static void record_drop(const buffer_block&) noexcept {}
    static void record_eviction(const buffer_block&) noexcept {}
    static void record_remote_return() noexcept {}
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
