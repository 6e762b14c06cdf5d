// SPDX-License-Identifier: BSL-1.0
// What tests of pools do with them: take, give back, use at random, and count that nothing is lost.
#pragma once

#include <freehold/memory/pool.hpp>

#include "contracts/marked_memory.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <new>
#include <random>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace freehold::contracts {

// To be asked while nobody uses the pool.
inline void expect_conserved(const pool& conserved, std::size_t in_use) {
    const pool_statistics now = conserved.statistics();
    EXPECT_EQ(now.in_use, in_use);
    EXPECT_EQ(now.in_use + now.cached + now.in_depot, now.capacity);
    EXPECT_EQ(now.allocations - now.frees, in_use);
    EXPECT_GE(now.high_water, now.in_use + now.cached);
    EXPECT_LE(now.remote_frees, now.frees);
    EXPECT_GE(now.capacity, conserved.options().initial_capacity);
    const exhaustion policy = conserved.options().on_exhaustion;
    if (policy != exhaustion::use_upstream) {
        EXPECT_EQ(now.upstream_blocks, 0U);
        EXPECT_LE(now.high_water, now.capacity);
    }
    if (policy != exhaustion::grow) {
        EXPECT_LE(now.capacity - now.upstream_blocks, conserved.options().maximum_capacity);
    }
}

inline std::vector<void*> take(pool& from, std::size_t blocks) {
    std::vector<void*> taken;
    for (std::size_t i = 0; i < blocks; ++i) {
        taken.push_back(from.allocate());
        EXPECT_NE(taken.back(), nullptr);
        EXPECT_TRUE(is_aligned(taken.back(), from.alignment()));
    }
    return taken;
}

inline void give_back(pool& to, const std::vector<void*>& blocks) {
    for (void* block : blocks) to.deallocate(block);
}

// Marks the first and the last bytes of a block, which is where neighbours would write to it.
inline void mark_ends(void* block, std::size_t size) {
    const std::size_t end = std::min<std::size_t>(size, 64);
    mark(block, end);
    mark(static_cast<std::byte*>(block) + (size - end), end);
}
[[nodiscard]] inline bool has_marked_ends(const void* block, std::size_t size) {
    const std::size_t end = std::min<std::size_t>(size, 64);
    return is_marked(static_cast<const std::byte*>(block) + (size - end), end) &&
           (size < 2 * end || is_marked(block, end));
}

// Allocates and frees at random, one by one and in bulk, with never more than `most` blocks at
// once. What it has at last it leaves to the caller; `exchange` is called now and then with all
// that it has. Where others have taken the last block, it goes on with what it has.
inline std::vector<void*> use_at_random(
    pool& used, unsigned seed, int steps, std::size_t most,
    const std::function<void(std::vector<void*>&)>& exchange = [](std::vector<void*>&) {}) {
    const std::size_t size = used.block_size();
    std::mt19937 random(seed);
    std::vector<void*> mine;
    std::vector<void*> burst;
    const auto verify = [size](void* block) {
        EXPECT_TRUE(has_marked_ends(block, size)) << block << " was written to while in use";
    };
    for (int step = 0; step < steps; ++step) {
        const std::size_t wanted = random() % 8 != 0 ? 1 : random() % (2 * most / 3 + 2);
        const bool shrinks = mine.size() >= most || random() % 2 == 0;
        burst.clear();
        if (shrinks) {
            while (!mine.empty() && burst.size() < wanted) {
                std::swap(mine[random() % mine.size()], mine.back());
                verify(mine.back());
                burst.push_back(mine.back());
                mine.pop_back();
            }
            if (burst.size() == 1) {
                used.deallocate(burst.front());
            } else {
                used.deallocate_bulk(burst);
            }
        } else {
            burst.resize(std::min(wanted, most - mine.size()));
            try {
                if (burst.size() == 1) {
                    burst.front() = used.allocate();
                } else {
                    const std::size_t had = used.allocate_bulk(burst);
                    EXPECT_EQ(had, burst.size());
                }
            } catch (const std::bad_alloc&) {
                burst.clear();
            }
            for (void* block : burst) {
                mark_ends(block, size);
                mine.push_back(block);
            }
        }
        if (step % 64 == 63) exchange(mine);
    }
    for (void* block : mine) verify(block);
    return mine;
}

}  // namespace freehold::contracts
