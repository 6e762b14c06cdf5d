// SPDX-License-Identifier: BSL-1.0
#include <freehold/memory/default_init_allocator.hpp>
#include <freehold/memory/pool.hpp>
#include <freehold/memory/pool_allocator.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <list>
#include <memory>
#include <memory_resource>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

namespace freehold::default_init_allocator_test {
namespace {

constexpr unsigned char pattern = 0xA5;

/// Allocations by patterned_allocator that were not given back.
long lent = 0;

/// Hands out memory that is full of the pattern.
template <class T>
struct patterned_allocator {
    using value_type = T;

    patterned_allocator() = default;
    template <class U>
    patterned_allocator(const patterned_allocator<U>&) noexcept {}

    T* allocate(std::size_t n) {
        T* const place = std::allocator<T>().allocate(n);
        std::memset(static_cast<void*>(place), pattern, n * sizeof(T));
        ++lent;
        return place;
    }
    void deallocate(T* place, std::size_t n) noexcept {
        std::allocator<T>().deallocate(place, n);
        --lent;
    }

    template <class U>
    bool operator==(const patterned_allocator<U>&) const noexcept {
        return true;
    }
};

template <class T>
using patterned = default_init_allocator<T, patterned_allocator<T>>;
using bytes = std::vector<unsigned char, patterned<unsigned char>>;

using over_standard = default_init_allocator<int>;
using over_pool = default_init_allocator<int, pool_allocator<int>>;
static_assert(std::is_empty_v<over_standard>);
static_assert(sizeof(over_pool) == sizeof(pool_allocator<int>));
static_assert(std::allocator_traits<over_standard>::is_always_equal::value);
static_assert(!std::allocator_traits<over_pool>::is_always_equal::value);
static_assert(!std::is_default_constructible_v<over_pool>);
static_assert(std::is_same_v<std::allocator_traits<over_pool>::rebind_alloc<long>,
                             default_init_allocator<long, pool_allocator<long>>>);
static_assert(std::is_same_v<
              std::allocator_traits<over_pool>::propagate_on_container_move_assignment,
              std::allocator_traits<pool_allocator<int>>::propagate_on_container_move_assignment>);

std::size_t patterned_in(const bytes& all) {
    return static_cast<std::size_t>(std::count(all.begin(), all.end(), pattern));
}

TEST(default_init_allocator, leaves_new_elements_as_they_are) {
    bytes all(4096);
    EXPECT_EQ(patterned_in(all), 4096u);
    all.assign(all.size(), 1);
    all.resize(16384);
    EXPECT_EQ(patterned_in(all), 16384u - 4096u);
    EXPECT_EQ(all[4095], 1);
    EXPECT_EQ(all[4096], pattern);
}

TEST(default_init_allocator, the_standards_allocator_does_not) {
    const std::vector<unsigned char, patterned_allocator<unsigned char>> all(4096);
    EXPECT_EQ(std::count(all.begin(), all.end(), 0), 4096);
}

TEST(default_init_allocator, writes_the_values_that_it_is_given) {
    bytes all(3, 7);
    EXPECT_EQ(all, bytes({7, 7, 7}));
    all.resize(5, 8);
    all.emplace_back(static_cast<unsigned char>(9));
    all.push_back(0);
    EXPECT_EQ(all, bytes({7, 7, 7, 8, 8, 9, 0}));
}

struct half_constructed {
    std::array<unsigned char, 64> left;
    std::string made;
};

TEST(default_init_allocator, calls_constructors_and_leaves_what_has_none) {
    const std::vector<half_constructed, patterned<half_constructed>> all(3);
    for (const auto& each : all) {
        EXPECT_EQ(each.made, "");
        EXPECT_EQ(std::count(each.left.begin(), each.left.end(), pattern), 64);
    }
}

struct throws_at_the_third {
    static inline int alive = 0;
    throws_at_the_third() {
        if (alive == 2) throw std::runtime_error("the third");
        ++alive;
    }
    throws_at_the_third(const throws_at_the_third&) { ++alive; }
    ~throws_at_the_third() { --alive; }
};

TEST(default_init_allocator, lets_a_constructors_exception_through_and_keeps_nothing) {
    const long before = lent;
    using throwing = std::vector<throws_at_the_third, patterned<throws_at_the_third>>;
    EXPECT_THROW(throwing(3), std::runtime_error);
    EXPECT_EQ(throws_at_the_third::alive, 0);
    EXPECT_EQ(lent, before);
}

TEST(default_init_allocator, serves_containers_that_rebind_it) {
    pool_options options;
    options.block_size = 64;
    pool blocks(options);
    {
        using allocator = default_init_allocator<int, pool_allocator<int>>;
        std::list<int, allocator> all(3, 5, allocator(pool_allocator<int>(blocks)));
        all.emplace_back(6);
        EXPECT_EQ(blocks.statistics().in_use, 4u);
        const std::list<int, allocator> copy(all, all.get_allocator());
        EXPECT_EQ(blocks.statistics().in_use, 8u);
        EXPECT_EQ(copy, all);
        EXPECT_EQ(copy.get_allocator(), all.get_allocator());
    }
    EXPECT_EQ(blocks.statistics().in_use, 0u);
}

TEST(default_init_allocator, is_equal_where_the_underlying_allocator_is) {
    pool_options options;
    options.block_size = 64;
    pool one(options);
    pool other(options);
    const over_pool first{pool_allocator<int>(one)};
    const default_init_allocator<long, pool_allocator<long>> rebound(first);
    EXPECT_TRUE(first == rebound);
    EXPECT_FALSE(first == over_pool{pool_allocator<int>(other)});
    EXPECT_TRUE(over_standard() == default_init_allocator<char>());
}

TEST(default_init_allocator, hands_the_underlying_allocator_on_to_elements_that_take_it) {
    std::pmr::monotonic_buffer_resource memory;
    using element = std::pmr::string;
    using underlying = std::pmr::polymorphic_allocator<element>;
    std::vector<element, default_init_allocator<element, underlying>> all(
        2, default_init_allocator<element, underlying>(underlying(&memory)));
    all.emplace_back("third");
    for (const auto& each : all) EXPECT_EQ(each.get_allocator().resource(), &memory);
}

#if __cpp_lib_shared_ptr_arrays >= 201707L
TEST(default_init_allocator, leaves_shared_arrays_as_they_are) {
    const auto all = std::allocate_shared<unsigned char[]>(patterned<unsigned char>(), 4096);
    EXPECT_EQ(std::count(all.get(), all.get() + 4096, pattern), 4096);
}
#endif

}  // namespace
}  // namespace freehold::default_init_allocator_test
