// SPDX-License-Identifier: BSL-1.0
// What one part of a cache counts, for statistics: written by the thread that uses the part, read
// by any.
//
// A counter that a get changes is not changed by a put: two changes of one place in memory wait for
// each other, which would be most of what a get and a put cost.
// Costs 112 bytes for each class of sizes, and two additions for a get and a put together; every
// 128th of a class some ten more. Requests for 2 MiB and more cost six.
#pragma once

#include <freehold/cache/detail/buffer_block.hpp>
#include <freehold/cache/detail/packed_counter.hpp>
#include <freehold/cache/size_class.hpp>
#include <freehold/memory/in_register.hpp>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace freehold::detail {

// That one thread adds to, and others may read.
class single_writer_counter {
public:
    void add(std::uint64_t more) noexcept {
        // relaxed: nobody else writes it. release, and acquire below: as with an event_word,
        // whoever reads what the thread wrote sees all that it did before.
        sum_.store(sum_.load(std::memory_order_relaxed) + more, std::memory_order_release);
    }
    [[nodiscard]] std::uint64_t get() const noexcept {
        return sum_.load(std::memory_order_acquire);
    }

private:
    std::atomic<std::uint64_t> sum_{0};
};

// What is counted on slow paths alone, and always.
struct upstream_counters {
    single_writer_counter bytes_taken;
    single_writer_counter bytes_given;
};

class buffer_counters {
public:
    struct class_sums {
        // Of the class of the size that was asked for.
        std::uint64_t requests = 0;
        std::uint64_t misses = 0;
        // Of the class of the buffer's capacity, as all the rest.
        std::uint64_t bytes_asked = 0;
        std::uint64_t bytes_handed_out = 0;
        // Of these, when they came back.
        std::uint64_t returns = 0;
        std::uint64_t bytes_asked_returned = 0;
        std::uint64_t bytes_returned = 0;
        // New buffers, and those that were dropped or evicted.
        std::uint64_t bytes_new = 0;
        std::uint64_t drops = 0;
        std::uint64_t evictions = 0;
        std::uint64_t bytes_gone = 0;
    };

    // A request of less than event_word::too_many_bytes that gets an idle buffer. False: the caller
    // calls complete_hit with the same before anything else.
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
    // Of any request.
    void record_hit_slowly(const buffer_block& block, std::size_t size) noexcept {
        if (size >= packed_counter::size_limit) return add_hit(block, size);
        if (!record_hit(block, size)) complete_hit(block, size);
    }
    void record_miss(const buffer_block& made, std::size_t size) noexcept {
        record_hit_slowly(made, size);
        wide_[size_class::of(size)].misses.add(1);
        wide_[made.size_class].bytes_new.add(made.capacity);
    }
    // Before the block is kept, or dropped: while it still says what was asked for. False: the
    // caller calls complete_back before anything else.
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

    // By any thread. Each number is right for one moment of the call.
    [[nodiscard]] class_sums of_class(std::size_t index) const noexcept {
        const wide_counters& wide = wide_[index];
        class_sums sums;
        std::uint64_t version = 0;
        do {
            // What is read then is not older than this version, and if any of it is newer, so is
            // the version at the end.
            version = wide.version.get();
            // First what came back: each of these had been handed out before, and is found there.
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
    // What is counted of a request that gets a buffer of its own class.
    struct packed_counters {
        packed_counter handed_out;
        packed_counter returned;
    };
    // What was poured out of these, and what is not counted there.
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
        // Odd while a word is being poured out, and is not what the sums lack.
        single_writer_counter version;
    };

    // Its smallest size is too large for a word.
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

// The same, and nothing is counted.
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

}  // namespace freehold::detail
