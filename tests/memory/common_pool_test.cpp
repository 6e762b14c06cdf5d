// SPDX-License-Identifier: BSL-1.0
#include <freehold/memory/common_pool.hpp>
#include <freehold/memory/detail/common_sources.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <random>
#include <set>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace freehold::common_pool_test {
namespace {

// Common pools are known by their block size alone, so each test takes a size of its own.
template <class Pool>
std::vector<void*> take(std::size_t blocks) {
    std::vector<void*> taken;
    for (std::size_t i = 0; i < blocks; ++i) taken.push_back(Pool::allocate());
    return taken;
}

template <class Pool>
void give_back(const std::vector<void*>& blocks) {
    for (void* block : blocks) Pool::deallocate(block);
}

TEST(a_common_pool, gives_distinct_aligned_blocks_of_their_full_size) {
    constexpr std::size_t size = 96;
    using pool_type = common_pool<size>;
    EXPECT_EQ(pool_type::alignment, 32U);
    const std::vector<void*> blocks = take<pool_type>(10'000);
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
    give_back<pool_type>(blocks);
}

TEST(a_common_pool, gives_the_latest_freed_block_first) {
    using pool_type = common_pool<80>;
    void* const first = pool_type::allocate();
    void* const second = pool_type::allocate();
    pool_type::deallocate(first);
    pool_type::deallocate(second);
    EXPECT_EQ(pool_type::allocate(), second);
    EXPECT_EQ(pool_type::allocate(), first);
    give_back<pool_type>({first, second});
}

std::size_t neighbours_going_up(const std::vector<void*>& blocks, std::size_t size) {
    std::size_t found = 0;
    for (std::size_t i = 1; i < blocks.size(); ++i) {
        if (blocks[i] == static_cast<std::byte*>(blocks[i - 1]) + size) ++found;
    }
    return found;
}

TEST(a_common_pool, goes_up_in_address_at_first_and_after_blocks_came_back_in_any_order) {
    constexpr std::size_t size = 88, many = 100'000;
    using pool_type = common_pool<size>;
    std::vector<void*> blocks = take<pool_type>(many);
    // All but where a step of growth begins or ends.
    EXPECT_GT(neighbours_going_up(blocks, size), many - many / 50);
    std::shuffle(blocks.begin(), blocks.end(), std::mt19937(1));
    give_back<pool_type>(blocks);
    // Not those that the thread or the depot had kept as they came.
    blocks = take<pool_type>(many);
    EXPECT_GT(neighbours_going_up(blocks, size), many - many / 20);
    give_back<pool_type>(blocks);
}

TEST(a_common_pool, reuses_all_before_it_grows) {
    using pool_type = common_pool<104>;
    const std::size_t many = 50 * pool_type::magazine_size;
    std::vector<void*> blocks = take<pool_type>(many);
    const std::size_t capacity = pool_type::capacity();
    EXPECT_GE(capacity, many);
    std::mt19937 random(3);
    for (int round = 0; round < 5; ++round) {
        std::shuffle(blocks.begin(), blocks.end(), random);
        give_back<pool_type>(blocks);
        blocks = take<pool_type>(many);
    }
    EXPECT_EQ(pool_type::capacity(), capacity);
    give_back<pool_type>(blocks);
    blocks = take<pool_type>(capacity);
    EXPECT_EQ(pool_type::capacity(), capacity);
    give_back<pool_type>(blocks);
}

TEST(a_common_pool, has_few_blocks_more_than_were_ever_in_use) {
    using pool_type = common_pool<56>;
    constexpr std::size_t step = (std::size_t{64} << 10) / pool_type::block_size;
    std::vector<void*> blocks;
    for (const std::size_t in_use : {1'000U, 10'000U, 100'000U}) {
        while (blocks.size() < in_use) blocks.push_back(pool_type::allocate());
        EXPECT_LE(pool_type::capacity(), in_use + in_use / 32 + 2 * step) << in_use;
    }
    give_back<pool_type>(blocks);
}

TEST(a_common_pool, begins_small_and_goes_on_in_larger_steps) {
    using pool_type = common_pool<184>;
    std::vector<void*> blocks = take<pool_type>(1);
    constexpr std::size_t largest = std::size_t{64} << 10;
    std::size_t step = pool_type::capacity() * pool_type::block_size;
    EXPECT_LE(step, std::size_t{4} << 10);
    while (step + pool_type::block_size <= largest) {
        const std::size_t before = pool_type::capacity();
        while (pool_type::capacity() == before) blocks.push_back(pool_type::allocate());
        const std::size_t next = (pool_type::capacity() - before) * pool_type::block_size;
        ASSERT_GT(next, step);
        ASSERT_LE(next, largest);
        step = next;
    }
    give_back<pool_type>(blocks);
}

template <class Pool>
void expect_aligned_blocks(std::size_t alignment) {
    const std::vector<void*> blocks = take<Pool>(40);
    for (void* block : blocks) {
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block) % alignment, 0U) << Pool::block_size;
    }
    give_back<Pool>(blocks);
}

TEST(a_common_pool, aligns_its_first_blocks_too) {
    expect_aligned_blocks<common_pool<1024>>(1024);
    expect_aligned_blocks<common_pool<320>>(64);
    expect_aligned_blocks<common_pool<72>>(8);
}

// A processor may take two addresses for the same if their last twelve bits are.
TEST(a_common_pool, has_its_first_block_where_the_cache_is_not_in_another_page) {
    constexpr std::size_t told_apart = 4096;
    // Never destroyed, as the sources themselves.
    static auto& kept = *new std::vector<detail::common_source*>;
    for (const std::size_t size : {48U, 128U, 1024U}) {
        for (std::size_t place = 0; place < told_apart; place += 64) {
            const auto cache = reinterpret_cast<void*>(told_apart + place);
            detail::common_source* const source = detail::common_source::make(size, cache);
            ASSERT_NE(source, nullptr);
            kept.push_back(source);
            const auto block = reinterpret_cast<std::uintptr_t>(source->shared.take_one());
            EXPECT_GE((place - block) % told_apart, std::min<std::size_t>(size, 64)) << size;
            EXPECT_EQ(block % (size & (~size + 1)), 0U) << size;
        }
    }
}

TEST(a_common_pool, gives_its_memory_back_after_a_peak) {
    using pool_type = common_pool<160>;
    give_back<pool_type>(take<pool_type>(100'000));
    const std::size_t at_the_peak = pool_type::capacity();
    EXPECT_GE(at_the_peak, 100'000U);
    EXPECT_GE(trim_common_pools(), at_the_peak * pool_type::block_size);
    EXPECT_EQ(pool_type::capacity(), 0U);
    const std::vector<void*> blocks = take<pool_type>(1'000);
    EXPECT_EQ(std::set<void*>(blocks.begin(), blocks.end()).size(), blocks.size());
    EXPECT_LT(pool_type::capacity(), at_the_peak / 10);
    give_back<pool_type>(blocks);
}

TEST(a_common_pool, keeps_what_is_in_use_when_it_gives_memory_back) {
    using pool_type = common_pool<168>;
    std::vector<void*> blocks = take<pool_type>(20'000);
    void* const kept = blocks.back();
    std::memset(kept, 7, pool_type::block_size);
    blocks.pop_back();
    give_back<pool_type>(blocks);
    trim_common_pools();
    const std::size_t left = pool_type::capacity();
    EXPECT_GT(left, 0U);
    EXPECT_LT(left, 2'000U);
    const auto* const bytes = static_cast<const unsigned char*>(kept);
    EXPECT_TRUE(
        std::all_of(bytes, bytes + pool_type::block_size, [](unsigned char b) { return b == 7; }));
    pool_type::deallocate(kept);
    trim_common_pools();
    EXPECT_EQ(pool_type::capacity(), 0U);
}

TEST(a_common_pool, gives_memory_back_while_other_threads_use_it) {
    using pool_type = common_pool<176>;
    constexpr std::size_t many = 5 * pool_type::magazine_size;
    std::atomic<int> working = 3;
    std::vector<std::thread> threads;
    for (unsigned char mark = 1; mark <= 3; ++mark) {
        threads.emplace_back([mark, &working] {
            for (int round = 0; round < 100; ++round) {
                const std::vector<void*> blocks = take<pool_type>(many);
                for (void* block : blocks) std::memset(block, mark, pool_type::block_size);
                std::this_thread::yield();
                for (void* block : blocks) {
                    const auto* const bytes = static_cast<const unsigned char*>(block);
                    ASSERT_TRUE(std::all_of(bytes, bytes + pool_type::block_size,
                                            [=](unsigned char b) { return b == mark; }));
                }
                give_back<pool_type>(blocks);
            }
            --working;
        });
    }
    while (working > 0) trim_common_pools();
    for (std::thread& each : threads) each.join();
    trim_common_pools();
    EXPECT_EQ(pool_type::capacity(), 0U);
}

TEST(a_common_pool, brings_blocks_back_that_another_thread_frees) {
    using pool_type = common_pool<112>;
    const std::size_t many = 40 * pool_type::magazine_size;
    give_back<pool_type>(take<pool_type>(many));
    const std::size_t capacity = pool_type::capacity();
    for (int round = 0; round < 20; ++round) {
        const std::vector<void*> blocks = take<pool_type>(many - 2 * pool_type::magazine_size);
        std::thread(give_back<pool_type>, std::cref(blocks)).join();
    }
    EXPECT_EQ(pool_type::capacity(), capacity);
}

TEST(a_common_pool, inherits_from_threads_that_end) {
    using pool_type = common_pool<128>;
    std::size_t after_one = 0;
    for (int round = 0; round < 50; ++round) {
        std::thread([] {
            give_back<pool_type>(take<pool_type>(pool_type::magazine_size / 3));
        }).join();
        if (round == 0) after_one = pool_type::capacity();
    }
    EXPECT_EQ(pool_type::capacity(), after_one);
}

using late_pool = common_pool<144>;

// Lives in a thread's own storage, and uses the pool when that is taken down.
struct late_user {
    ~late_user() {
        late_pool::deallocate(kept);
        give_back<late_pool>(take<late_pool>(3));
        give_back<late_pool>(take<late_pool>(3 * late_pool::magazine_size));
    }
    void* kept = nullptr;
};

TEST(a_common_pool, serves_thread_local_destructors_that_run_after_it_left) {
    std::size_t after_one = 0;
    for (int round = 0; round < 20; ++round) {
        std::thread([] {
            // Made before the exit hook of its caches, so destroyed after it.
            static thread_local late_user user;
            user.kept = nullptr;
            user.kept = late_pool::allocate();
        }).join();
        if (round == 0) after_one = late_pool::capacity();
    }
    EXPECT_EQ(late_pool::capacity(), after_one);
}

using last_pool = common_pool<152>;

// A static's destructor runs after the main thread's cache left, and fails the run by its status.
struct last_user {
    ~last_user() {
        std::vector<void*> more = take<last_pool>(3 * last_pool::magazine_size);
        for (void* block : more) std::memset(block, 1, last_pool::block_size);
        const std::set<void*> distinct(more.begin(), more.end());
        if (distinct.size() != more.size() || distinct.count(kept) != 0) std::_Exit(1);
        last_pool::deallocate(kept);
        give_back<last_pool>(more);
        if (last_pool::allocate() == nullptr) std::_Exit(1);
    }
    void* kept = nullptr;
};

TEST(a_common_pool, serves_destructors_of_statics) {
    static last_user user;
    user.kept = nullptr;
    user.kept = last_pool::allocate();
    last_pool::deallocate(last_pool::allocate());
}

}  // namespace
}  // namespace freehold::common_pool_test
