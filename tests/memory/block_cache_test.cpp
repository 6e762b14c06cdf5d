// SPDX-License-Identifier: BSL-1.0
#include <freehold/memory/block_cache.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <random>
#include <set>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace freehold {
namespace {

// Caches are known by their block size alone, so each test takes a size of its own.
template <class Cache>
std::vector<void*> take(std::size_t blocks) {
    std::vector<void*> taken;
    for (std::size_t i = 0; i < blocks; ++i) taken.push_back(Cache::allocate());
    return taken;
}

template <class Cache>
void give_back(const std::vector<void*>& blocks) {
    for (void* block : blocks) Cache::deallocate(block);
}

TEST(a_block_cache, gives_distinct_aligned_blocks_of_their_full_size) {
    constexpr std::size_t size = 96;
    using cache = block_cache<size>;
    EXPECT_EQ(cache::alignment, 32U);
    const std::vector<void*> blocks = take<cache>(10'000);
    unsigned char mark = 0;
    for (void* block : blocks) {
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block) % 32, 0U);
        std::memset(block, mark++, size);
    }
    mark = 0;
    for (void* block : blocks) {
        const auto* const bytes = static_cast<const unsigned char*>(block);
        EXPECT_TRUE(std::all_of(bytes, bytes + size, [=](unsigned char b) { return b == mark; }));
        ++mark;
    }
    EXPECT_EQ(std::set<void*>(blocks.begin(), blocks.end()).size(), blocks.size());
    give_back<cache>(blocks);
}

TEST(a_block_cache, gives_the_latest_freed_block_first) {
    using cache = block_cache<80>;
    void* const first = cache::allocate();
    void* const second = cache::allocate();
    cache::deallocate(first);
    cache::deallocate(second);
    EXPECT_EQ(cache::allocate(), second);
    EXPECT_EQ(cache::allocate(), first);
    give_back<cache>({first, second});
}

std::size_t neighbours_going_up(const std::vector<void*>& blocks, std::size_t size) {
    std::size_t found = 0;
    for (std::size_t i = 1; i < blocks.size(); ++i) {
        if (blocks[i] == static_cast<std::byte*>(blocks[i - 1]) + size) ++found;
    }
    return found;
}

TEST(a_block_cache, goes_up_in_address_at_first_and_after_blocks_came_back_in_any_order) {
    constexpr std::size_t size = 88, many = 100'000;
    using cache = block_cache<size>;
    std::vector<void*> blocks = take<cache>(many);
    // All but where a slab begins or ends, or its header lies between.
    EXPECT_GT(neighbours_going_up(blocks, size), many - many / 50);
    std::shuffle(blocks.begin(), blocks.end(), std::mt19937(1));
    give_back<cache>(blocks);
    // Not those that the thread or the depot had kept as they came.
    blocks = take<cache>(many);
    EXPECT_GT(neighbours_going_up(blocks, size), many - many / 20);
    give_back<cache>(blocks);
}

TEST(a_block_cache, reuses_all_before_it_grows) {
    using cache = block_cache<104>;
    const std::size_t many = 50 * cache::batch;
    std::vector<void*> blocks = take<cache>(many);
    const std::size_t reserved = cache::reserved_blocks();
    EXPECT_GE(reserved, many);
    std::mt19937 random(3);
    for (int round = 0; round < 5; ++round) {
        std::shuffle(blocks.begin(), blocks.end(), random);
        give_back<cache>(blocks);
        blocks = take<cache>(many);
    }
    EXPECT_EQ(cache::reserved_blocks(), reserved);
    give_back<cache>(blocks);
    blocks = take<cache>(reserved);
    EXPECT_EQ(cache::reserved_blocks(), reserved);
    give_back<cache>(blocks);
}

TEST(a_block_cache, brings_blocks_back_that_another_thread_frees) {
    using cache = block_cache<112>;
    const std::size_t many = 40 * cache::batch;
    give_back<cache>(take<cache>(many));
    const std::size_t reserved = cache::reserved_blocks();
    for (int round = 0; round < 20; ++round) {
        const std::vector<void*> blocks = take<cache>(many - 2 * cache::batch);
        std::thread(give_back<cache>, std::cref(blocks)).join();
    }
    EXPECT_EQ(cache::reserved_blocks(), reserved);
}

TEST(a_block_cache, inherits_from_threads_that_end) {
    using cache = block_cache<128>;
    cache::deallocate(cache::allocate());
    const std::size_t one_slab = cache::reserved_blocks();
    for (int round = 0; round < 50; ++round) {
        std::thread([] { give_back<cache>(take<cache>(cache::batch / 3)); }).join();
    }
    EXPECT_EQ(cache::reserved_blocks(), one_slab);
}

using late_cache = block_cache<144>;

// Lives in a thread's own storage, and uses the cache when that is taken down.
struct late_user {
    ~late_user() {
        late_cache::deallocate(kept);
        give_back<late_cache>(take<late_cache>(3));
        give_back<late_cache>(take<late_cache>(3 * late_cache::batch));
    }
    void* kept = nullptr;
};

TEST(a_block_cache, serves_thread_local_destructors_that_run_after_it_left) {
    for (int round = 0; round < 20; ++round) {
        std::thread([] {
            // Made before the cache's own exit hook, so destroyed after it.
            static thread_local late_user user;
            user.kept = nullptr;
            user.kept = late_cache::allocate();
        }).join();
    }
    // What one thread had at most.
    EXPECT_LE(late_cache::reserved_blocks(), (std::size_t{64} << 10) / late_cache::block_size);
}

using last_cache = block_cache<152>;

// A static's destructor runs after the main thread's cache left, and fails the run by its status.
struct last_user {
    ~last_user() {
        std::vector<void*> more = take<last_cache>(3 * last_cache::batch);
        for (void* block : more) std::memset(block, 1, last_cache::block_size);
        const std::set<void*> distinct(more.begin(), more.end());
        if (distinct.size() != more.size() || distinct.count(kept) != 0) std::_Exit(1);
        last_cache::deallocate(kept);
        give_back<last_cache>(more);
        if (last_cache::allocate() == nullptr) std::_Exit(1);
    }
    void* kept = nullptr;
};

TEST(a_block_cache, serves_destructors_of_statics) {
    static last_user user;
    user.kept = nullptr;
    user.kept = last_cache::allocate();
    last_cache::deallocate(last_cache::allocate());
}

}  // namespace
}  // namespace freehold
