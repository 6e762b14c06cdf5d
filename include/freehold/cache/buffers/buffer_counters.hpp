// SPDX-License-Identifier: BSL-1.0
// What one part of a cache counts, for statistics: written by the thread that uses the part, read
// by any.
//
// A counter that a get changes is not changed by a put: two changes of one place in memory wait for
// each other, which would be most of what a get and a put cost.
// Costs 104 bytes for each class of sizes, and six additions for a get and a put together.
#pragma once

#include <freehold/cache/buffers/buffer_block.hpp>
#include <freehold/cache/buffers/size_class.hpp>
#include <freehold/memory/pool/relaxed.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace freehold::detail {

// That one thread adds to, and others may read.
struct tally {
    relaxed<std::uint64_t> sum{0};

    [[gnu::always_inline]] void add(std::uint64_t more) noexcept {
#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__)
        // What sum.add says, in one instruction, which compilers do not make of it. It is not
        // locked: only one thread writes.
        asm("addq %1, %0" : "+m"(sum.value) : "er"(more) : "cc");
#else
        sum.add(more);
#endif
    }
    [[nodiscard]] std::uint64_t get() const noexcept { return sum.get(); }
};

// A cache line, in which all is counted of a request that gets a buffer of its own class.
struct alignas(64) class_counters {
    // Of the class of the size that was asked for.
    tally requests;
    // Of the class of the buffer's capacity, as all the rest.
    tally bytes_asked;
    tally bytes_handed_out;
    // Of these, when they came back.
    tally returns;
    tally bytes_asked_returned;
    tally bytes_returned;
};

struct rare_class_counters {
    // Of the class of the size that was asked for.
    tally misses;
    // Of the class of the buffer's capacity. New buffers, and those that were dropped or evicted.
    tally bytes_new;
    tally drops;
    tally evictions;
    tally bytes_gone;
};

// What is counted on slow paths alone, and always.
struct upstream_counters {
    tally bytes_taken;
    tally bytes_given;
};

class buffer_counters {
public:
    [[gnu::always_inline]] void hit(const buffer_block& block, std::size_t size) noexcept {
        const std::size_t capacity = block.capacity;
        classes[size_class::of(size)].requests.add(1);
        class_counters& mine = classes[block.size_class];
        mine.bytes_asked.add(size);
        mine.bytes_handed_out.add(capacity);
    }
    void miss(const buffer_block& made, std::size_t size) noexcept {
        hit(made, size);
        rare[size_class::of(size)].misses.add(1);
        rare[made.size_class].bytes_new.add(made.capacity);
    }
    // Before the block is kept, or dropped: while it still says what was asked for.
    [[gnu::always_inline]] void back(const buffer_block& block) noexcept {
        const std::size_t size = block.size;
        const std::size_t capacity = block.capacity;
        class_counters& mine = classes[block.size_class];
        mine.returns.add(1);
        mine.bytes_asked_returned.add(size);
        mine.bytes_returned.add(capacity);
    }
    void dropped(const buffer_block& block) noexcept {
        rare[block.size_class].drops.add(1);
        rare[block.size_class].bytes_gone.add(block.capacity);
    }
    void evicted(const buffer_block& block) noexcept {
        rare[block.size_class].evictions.add(1);
        rare[block.size_class].bytes_gone.add(block.capacity);
    }

    std::array<class_counters, size_class::count> classes;
    std::array<rare_class_counters, size_class::count> rare;
    tally remote_returns;
};

}  // namespace freehold::detail
