// SPDX-License-Identifier: BSL-1.0
// What one part of a cache counts, for statistics: written by the thread that uses the part, read
// by any.
//
// Idle bytes, and bytes in use, may be subtracted by another part than the one that added them:
// single parts' figures wrap around, and only their sum over all parts is a number.
// Costs 64 bytes for each class of sizes, and for a get and a put together seven additions in
// memory that the thread alone writes to.
#pragma once

#include <freehold/cache/buffers/buffer_block.hpp>
#include <freehold/cache/buffers/size_class.hpp>
#include <freehold/memory/pool/relaxed.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace freehold::detail {

using relaxed_count = relaxed<std::uint64_t>;

// One cache line: a request whose buffer is of its own class touches no other.
struct alignas(64) class_counters {
    // Of the class of the size that was asked for.
    relaxed_count requests{0};
    relaxed_count misses{0};
    relaxed_count bytes_asked{0};
    relaxed_count bytes_handed_out{0};
    // Of the class of the buffer's capacity.
    relaxed_count returns{0};
    relaxed_count drops{0};
    relaxed_count evictions{0};
    relaxed_count idle{0};
};

// What is counted on slow paths alone, and always.
struct upstream_counters {
    relaxed_count bytes_taken{0};
    relaxed_count bytes_given{0};
};

class buffer_counters {
public:
    [[gnu::always_inline]] void hit(const buffer_block& block, std::size_t size) noexcept {
        request(size, block.capacity);
        classes[block.size_class].idle.add(-std::uint64_t{block.capacity});
    }
    void miss(const buffer_block& block, std::size_t size) noexcept {
        request(size, block.capacity);
        classes[size_class::of(size)].misses.add(1);
    }
    // Before the block is kept, or dropped: while it still says what was asked for.
    [[gnu::always_inline]] void back(const buffer_block& block) noexcept {
        bytes_asked_returned.add(block.size);
        class_counters& mine = classes[block.size_class];
        mine.returns.add(1);
        mine.idle.add(block.capacity);
    }
    void dropped(const buffer_block& block) noexcept {
        classes[block.size_class].drops.add(1);
        classes[block.size_class].idle.add(-std::uint64_t{block.capacity});
    }
    void evicted(const buffer_block& block) noexcept {
        classes[block.size_class].evictions.add(1);
        classes[block.size_class].idle.add(-std::uint64_t{block.capacity});
    }

    std::array<class_counters, size_class::count> classes;
    relaxed_count bytes_asked_returned{0};
    relaxed_count remote_returns{0};

private:
    [[gnu::always_inline]] void request(std::size_t size, std::size_t capacity) noexcept {
        class_counters& asked = classes[size_class::of(size)];
        asked.requests.add(1);
        asked.bytes_asked.add(size);
        asked.bytes_handed_out.add(capacity);
    }
};

}  // namespace freehold::detail
