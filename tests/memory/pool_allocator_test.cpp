// SPDX-License-Identifier: BSL-1.0
#include <freehold/handle/arc.hpp>
#include <freehold/handle/shared_ptr.hpp>
#include <freehold/memory/pool_allocator.hpp>

#include "contracts/marked_memory.hpp"
#include "contracts/observed_resource.hpp"
#include "contracts/use_pool.hpp"

#include <array>
#include <cstddef>
#include <limits>
#include <list>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace freehold::pool_allocator_test {
namespace {

using traits = std::allocator_traits<pool_allocator<int>>;
static_assert(sizeof(pool_allocator<int>) == sizeof(void*));
static_assert(std::is_nothrow_copy_constructible_v<pool_allocator<int>>);
static_assert(std::is_trivially_copyable_v<pool_allocator<int>>);
static_assert(!std::is_default_constructible_v<pool_allocator<int>>);
static_assert(std::is_same_v<traits::rebind_alloc<long>, pool_allocator<long>>);
static_assert(!traits::is_always_equal::value);
static_assert(!std::is_constructible_v<pool_allocator<int>, freehold::pool>,
              "a pool that is gone at the end of the line");

template <std::size_t Size, std::size_t Alignment = 1>
struct alignas(Alignment) object {
    std::array<unsigned char, Size> bytes;
};

class a_pool_allocator : public testing::Test {
protected:
    static pool_options options(std::pmr::memory_resource* upstream) {
        pool_options asked;
        asked.block_size = 64;
        asked.alignment = 32;
        asked.upstream = upstream;
        return asked;
    }
    void TearDown() override { contracts::expect_conserved(pool_, 0); }

    // How many blocks of the pool one allocation of so many takes.
    template <class T>
    std::size_t blocks_for(std::size_t n) {
        pool_allocator<T> allocator(pool_);
        const std::size_t before = pool_.statistics().in_use;
        T* const place = allocator.allocate(n);
        const std::size_t blocks = pool_.statistics().in_use - before;
        EXPECT_TRUE(contracts::is_aligned(place, alignof(T)));
        EXPECT_EQ(pool_.owns(place), blocks == 1);
        EXPECT_TRUE(upstream_.has_lent(place));
        contracts::mark(place, n * sizeof(T));
        EXPECT_TRUE(contracts::is_marked(place, n * sizeof(T)));
        allocator.deallocate(place, n);
        EXPECT_EQ(pool_.statistics().in_use, before);
        return blocks;
    }

    contracts::observed_resource upstream_;
    pool pool_{options(&upstream_)};
};

TEST_F(a_pool_allocator, takes_objects_that_fit_from_the_pool) {
    EXPECT_EQ((blocks_for<object<1>>(1)), 1U);
    EXPECT_EQ((blocks_for<object<64>>(1)), 1U);
    EXPECT_EQ((blocks_for<object<32, 32>>(1)), 1U);
}

TEST_F(a_pool_allocator, takes_arrays_that_fit_from_the_pool) {
    EXPECT_EQ((blocks_for<object<1>>(64)), 1U);
    EXPECT_EQ((blocks_for<object<21>>(3)), 1U);
    EXPECT_EQ((blocks_for<object<32, 32>>(2)), 1U);
    EXPECT_EQ((blocks_for<object<64>>(0)), 1U);
}

TEST_F(a_pool_allocator, takes_what_is_too_large_from_the_upstream) {
    EXPECT_EQ((blocks_for<object<65>>(1)), 0U);
    EXPECT_EQ((blocks_for<object<1>>(65)), 0U);
    EXPECT_EQ((blocks_for<object<32, 32>>(3)), 0U);
    EXPECT_EQ((blocks_for<object<100'000>>(1)), 0U);
}

TEST_F(a_pool_allocator, takes_what_asks_for_more_alignment_from_the_upstream) {
    if (pool_.alignment() < 64) {
        EXPECT_EQ((blocks_for<object<64, 64>>(1)), 0U);
    }
    EXPECT_EQ((blocks_for<object<64, 4096>>(1)), 0U);
}

TEST_F(a_pool_allocator, refuses_arrays_larger_than_memory) {
    pool_allocator<long> allocator(pool_);
    // Volatile, because a compiler that knows this size warns of it.
    const volatile std::size_t too_many =
        std::numeric_limits<std::ptrdiff_t>::max() / sizeof(long) + 1;
    EXPECT_THROW(static_cast<void>(allocator.allocate(too_many)), std::bad_array_new_length);
    EXPECT_THROW(static_cast<void>(allocator.allocate(std::numeric_limits<std::size_t>::max())),
                 std::bad_array_new_length);
    upstream_.fail_from(1);
    EXPECT_THROW(static_cast<void>(allocator.allocate(too_many - 1)), std::bad_alloc);
}

TEST_F(a_pool_allocator, throws_where_the_pool_says_null) {
    pool_options limited = options(nullptr);
    limited.maximum_capacity = 1;
    limited.on_exhaustion = exhaustion::return_null;
    pool small(limited);
    pool_allocator<int> allocator(small);
    int* const only = allocator.allocate(1);
    EXPECT_THROW(static_cast<void>(allocator.allocate(1)), std::bad_alloc);
    allocator.deallocate(only, 1);
    allocator.deallocate(allocator.allocate(1), 1);
    contracts::expect_conserved(small, 0);
}

TEST_F(a_pool_allocator, is_equal_to_those_of_the_same_pool) {
    pool another(options(&upstream_));
    const pool_allocator<int> ints(pool_);
    const pool_allocator<long> longs(ints);
    EXPECT_EQ(&longs.pool(), &pool_);
    EXPECT_TRUE(ints == longs);
    EXPECT_TRUE(ints == pool_allocator<int>(pool_));
    EXPECT_TRUE(ints != pool_allocator<int>(another));
}

TEST_F(a_pool_allocator, gives_back_blocks_and_what_does_not_fit_in_bulk) {
    pool_allocator<object<64>> fitting(pool_);
    pool_allocator<object<65>> too_large(pool_);
    std::array<void*, 10> places;
    for (void*& place : places) place = fitting.allocate(1);
    EXPECT_EQ(pool_.statistics().in_use, 10U);
    fitting.deallocate_bulk(places);
    EXPECT_EQ(pool_.statistics().in_use, 0U);

    const std::size_t lent = upstream_.pieces_lent();
    for (void*& place : places) place = too_large.allocate(1);
    EXPECT_EQ(upstream_.pieces_lent(), lent + 10);
    too_large.deallocate_bulk(places);
    EXPECT_EQ(upstream_.pieces_lent(), lent);
}

TEST_F(a_pool_allocator, stays_with_a_container_s_elements) {
    pool another(options(&upstream_));
    {
        using list = std::list<int, pool_allocator<int>>;
        list here({1, 2, 3}, pool_);
        list there({4, 5}, another);
        const int* const first = &here.front();

        swap(here, there);
        EXPECT_EQ(&there.front(), first);
        EXPECT_TRUE(there.get_allocator() == pool_allocator<int>(pool_));
        EXPECT_EQ(another.statistics().in_use, 2U);

        here = std::move(there);
        EXPECT_EQ(&here.front(), first);
        EXPECT_TRUE(here.get_allocator() == pool_allocator<int>(pool_));
        EXPECT_EQ(another.statistics().in_use, 0U);

        list copied(another);
        copied = here;
        EXPECT_TRUE(copied.get_allocator() == pool_allocator<int>(another));
        EXPECT_EQ(copied, here);
        EXPECT_EQ(another.statistics().in_use, 3U);
    }
    contracts::expect_conserved(another, 0);
}

TEST_F(a_pool_allocator, can_be_named_for_an_incomplete_type) {
    struct node;
    const pool_allocator<node> allocator(pool_);
    struct node {
        explicit node(pool_allocator<node> from) : children(from) {}
        std::list<node, pool_allocator<node>> children;
    };
    node root(allocator);
    root.children.emplace_back(allocator).children.emplace_back(allocator);
    EXPECT_EQ(pool_.statistics().in_use, 2U);
    EXPECT_TRUE(allocator == root.children.get_allocator());
}

struct counted {
    explicit counted(int& count) : alive(count) { ++alive; }
    ~counted() { --alive; }
    counted(const counted&) = delete;
    counted& operator=(const counted&) = delete;
    int& alive;
};

TEST_F(a_pool_allocator, holds_shared_objects_and_their_counts_in_one_block) {
    const pool_allocator<counted> allocator(pool_);
    int alive = 0;
    {
        const auto by_std = std::allocate_shared<counted>(allocator, alive);
        EXPECT_EQ(pool_.statistics().in_use, 1U);
        const auto by_freehold = freehold::allocate_shared<counted>(allocator, alive);
        EXPECT_EQ(pool_.statistics().in_use, 2U);
        const auto by_arc = freehold::allocate_arc<counted>(allocator, alive);
        EXPECT_EQ(pool_.statistics().in_use, 3U);
        EXPECT_EQ(alive, 3);
        const std::weak_ptr<counted> observer = by_std;
        EXPECT_FALSE(observer.expired());
    }
    EXPECT_EQ(alive, 0);
}

TEST_F(a_pool_allocator, keeps_a_block_as_long_as_a_weak_pointer_needs_it) {
    int alive = 0;
    auto owner = std::allocate_shared<counted>(pool_allocator<counted>(pool_), alive);
    std::weak_ptr<counted> observer = owner;
    owner.reset();
    EXPECT_EQ(alive, 0);
    EXPECT_EQ(pool_.statistics().in_use, 1U);
    observer.reset();
    EXPECT_EQ(pool_.statistics().in_use, 0U);
}

TEST_F(a_pool_allocator, frees_the_control_block_of_an_owned_pointer) {
    int alive = 0;
    auto owner = std::shared_ptr<counted>(new counted(alive), std::default_delete<counted>(),
                                          pool_allocator<counted>(pool_));
    EXPECT_EQ(pool_.statistics().in_use, 1U);
    owner.reset();
    EXPECT_EQ(alive, 0);
    EXPECT_EQ(pool_.statistics().in_use, 0U);
}

TEST_F(a_pool_allocator, gives_the_block_back_when_a_constructor_throws) {
    struct thrower {
        thrower() { throw 1; }
    };
    const pool_allocator<thrower> allocator(pool_);
    EXPECT_THROW(static_cast<void>(std::allocate_shared<thrower>(allocator)), int);
    EXPECT_THROW(static_cast<void>(freehold::allocate_shared<thrower>(allocator)), int);
    EXPECT_THROW(static_cast<void>(freehold::allocate_arc<thrower>(allocator)), int);
    EXPECT_EQ(pool_.statistics().in_use, 0U);
}

}  // namespace
}  // namespace freehold::pool_allocator_test
