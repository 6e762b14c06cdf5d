// SPDX-License-Identifier: BSL-1.0
// What one part of a cache counts, for statistics: written by the thread that uses the part, read
// by any.
//
// A counter that a get changes is not changed by a put: two changes of one place in memory wait for
// each other, which would be most of what a get and a put cost.
// Costs 112 bytes for each class of sizes, and two additions for a get and a put together; every
// 128th of a class some ten more. Requests for 2 MiB and more cost six.
#pragma once

#include <freehold/cache/buffers/buffer_block.hpp>
#include <freehold/cache/buffers/event_word.hpp>
#include <freehold/cache/buffers/size_class.hpp>
#include <freehold/memory/in_register.hpp>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace freehold::inline FREEHOLD_ABI::detail {

// That one thread adds to, and others may read.
class tally {
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
    tally bytes_taken;
    tally bytes_given;
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
    [[nodiscard, gnu::always_inline]] bool hit(const buffer_block& block,
                                               std::size_t size) noexcept {
        const std::size_t index = size_class::of(size);
        if (index != block.size_class) [[unlikely]]
            return false;
        return !in_register(&words_[index])->handed_out.add(size, block.capacity);
    }
    void complete_hit(const buffer_block& block, std::size_t size) noexcept {
        const std::size_t index = size_class::of(size);
        index == block.size_class ? pour_handed_out(index) : hit_apart(block, size);
    }
    // Of any request.
    void hit_slowly(const buffer_block& block, std::size_t size) noexcept {
        if (size >= event_word::too_many_bytes) return hit_apart(block, size);
        if (!hit(block, size)) complete_hit(block, size);
    }
    void miss(const buffer_block& made, std::size_t size) noexcept {
        hit_slowly(made, size);
        rest_[size_class::of(size)].misses.add(1);
        rest_[made.size_class].bytes_new.add(made.capacity);
    }
    // Before the block is kept, or dropped: while it still says what was asked for. False: the
    // caller calls complete_back before anything else.
    [[nodiscard, gnu::always_inline]] bool back(const buffer_block& block) noexcept {
        const std::size_t index = block.size_class;
        if (index >= first_beyond_words) [[unlikely]]
            return false;
        return !in_register(&words_[index])->returned.add(block.size, block.capacity);
    }
    void complete_back(const buffer_block& block) noexcept {
        const std::size_t index = block.size_class;
        if (index < first_beyond_words) return pour_returned(index);
        add_returned(rest_[index], {1, block.size, block.capacity});
    }
    void back_slowly(const buffer_block& block) noexcept {
        if (!back(block)) complete_back(block);
    }
    void dropped(const buffer_block& block) noexcept {
        rest_[block.size_class].drops.add(1);
        rest_[block.size_class].bytes_gone.add(block.capacity);
    }
    void evicted(const buffer_block& block) noexcept {
        rest_[block.size_class].evictions.add(1);
        rest_[block.size_class].bytes_gone.add(block.capacity);
    }

    void remote_return() noexcept { remote_returns_.add(1); }

    // By any thread. Each number is right for one moment of the call.
    [[nodiscard]] class_sums of_class(std::size_t index) const noexcept {
        const class_rest& rest = rest_[index];
        class_sums sums;
        std::uint64_t version = 0;
        do {
            // What is read then is not older than this version, and if any of it is newer, so is
            // the version at the end.
            version = rest.version.get();
            // First what came back: each of these had been handed out before, and is found there.
            const event_sums returned = words_[index].returned.get();
            sums.returns = rest.returns.get() + returned.events;
            sums.bytes_asked_returned = rest.bytes_asked_returned.get() + returned.asked;
            sums.bytes_returned = rest.bytes_returned.get() + returned.handed_out;
            const event_sums handed_out = words_[index].handed_out.get();
            sums.requests = rest.requests.get() + handed_out.events;
            sums.bytes_asked = rest.bytes_asked.get() + handed_out.asked;
            sums.bytes_handed_out = rest.bytes_handed_out.get() + handed_out.handed_out;
        } while (version % 2 != 0 || rest.version.get() != version);
        sums.misses = rest.misses.get();
        sums.bytes_new = rest.bytes_new.get();
        sums.drops = rest.drops.get();
        sums.evictions = rest.evictions.get();
        sums.bytes_gone = rest.bytes_gone.get();
        return sums;
    }

    [[nodiscard]] std::uint64_t remote_returns() const noexcept { return remote_returns_.get(); }

private:
    // What is counted of a request that gets a buffer of its own class.
    struct class_words {
        event_word handed_out;
        event_word returned;
    };
    // What was poured out of these, and what is not counted there.
    struct class_rest {
        tally requests;
        tally misses;
        tally bytes_asked;
        tally bytes_handed_out;
        tally returns;
        tally bytes_asked_returned;
        tally bytes_returned;
        tally bytes_new;
        tally drops;
        tally evictions;
        tally bytes_gone;
        // Odd while a word is being poured out, and is not what the sums lack.
        tally version;
    };

    // Its smallest size is too large for a word.
    static constexpr std::size_t first_beyond_words = size_class::of(event_word::too_many_bytes);

    void hit_apart(const buffer_block& block, std::size_t size) noexcept {
        rest_[size_class::of(size)].requests.add(1);
        rest_[block.size_class].bytes_asked.add(size);
        rest_[block.size_class].bytes_handed_out.add(block.capacity);
    }
    static void add_returned(class_rest& to, const event_sums& more) noexcept {
        to.returns.add(more.events);
        to.bytes_asked_returned.add(more.asked);
        to.bytes_returned.add(more.handed_out);
    }

    void pour_handed_out(std::size_t index) noexcept {
        class_rest& rest = rest_[index];
        rest.version.add(1);
        const event_sums more = words_[index].handed_out.pour_out();
        rest.requests.add(more.events);
        rest.bytes_asked.add(more.asked);
        rest.bytes_handed_out.add(more.handed_out);
        rest.version.add(1);
    }
    void pour_returned(std::size_t index) noexcept {
        class_rest& rest = rest_[index];
        rest.version.add(1);
        add_returned(rest, words_[index].returned.pour_out());
        rest.version.add(1);
    }

    alignas(64) std::array<class_words, size_class::count> words_;
    std::array<class_rest, size_class::count> rest_;
    tally remote_returns_;
};

// The same, and nothing is counted.
struct no_counters {
    static bool hit(const buffer_block&, std::size_t) noexcept { return true; }
    static void complete_hit(const buffer_block&, std::size_t) noexcept {}
    static void hit_slowly(const buffer_block&, std::size_t) noexcept {}
    static void miss(const buffer_block&, std::size_t) noexcept {}
    static bool back(const buffer_block&) noexcept { return true; }
    static void complete_back(const buffer_block&) noexcept {}
    static void back_slowly(const buffer_block&) noexcept {}
    static void dropped(const buffer_block&) noexcept {}
    static void evicted(const buffer_block&) noexcept {}
    static void remote_return() noexcept {}
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
