// SPDX-License-Identifier: BSL-1.0
#include <freehold/memory/common_pool_allocator.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <list>
#include <memory>
#include <new>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

namespace freehold::common_pool_allocator_test {
namespace {

static_assert(std::is_empty_v<common_pool_allocator<int>>);
static_assert(std::allocator_traits<common_pool_allocator<int>>::is_always_equal::value);
static_assert(std::is_same_v<common_pool_for<4, 4>, common_pool<8>>);
static_assert(std::is_same_v<common_pool_for<24, 8>, common_pool_for<20, 4>>);
static_assert(std::is_same_v<common_pool_for<40, 64>, common_pool<64>>);

TEST(a_common_pool_allocator, serves_standard_containers) {
    std::list<int, common_pool_allocator<int>> nodes;
    std::vector<int, common_pool_allocator<int>> array;
    for (int i = 0; i < 1000; ++i) {
        nodes.push_back(i);
        array.push_back(i);
    }
    EXPECT_TRUE(std::equal(nodes.begin(), nodes.end(), array.begin(), array.end()));
    const auto copy = nodes;
    nodes.clear();
    EXPECT_EQ(copy.size(), array.size());
    EXPECT_TRUE(common_pool_allocator<int>() == common_pool_allocator<long>());
}

TEST(a_common_pool_allocator, can_be_named_for_an_incomplete_type) {
    struct node;
    const common_pool_allocator<node> allocator;
    struct node {
        std::list<node, common_pool_allocator<node>> children;
    };
    node root{{{}, {}}};
    root.children.front().children.emplace_back();
    EXPECT_EQ(root.children.size(), 2U);
    EXPECT_TRUE(allocator == root.children.get_allocator());
}

template <std::size_t Size, std::size_t Alignment>
void expect_aligned_and_writable() {
    struct alignas(Alignment) object {
        std::array<unsigned char, Size> bytes;
    };
    common_pool_allocator<object> allocator;
    std::vector<object*> singles;
    for (std::size_t i = 0; i < 100; ++i) {
        singles.push_back(allocator.allocate(1));
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(singles.back()) % Alignment, 0U);
        singles.back()->bytes.fill(static_cast<unsigned char>(i));
    }
    object* const three = allocator.allocate(3);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(three) % Alignment, 0U);
    three[2].bytes.fill(255);
    for (std::size_t i = 0; i < singles.size(); ++i) {
        EXPECT_EQ(singles[i]->bytes.front(), i);
        EXPECT_EQ(singles[i]->bytes.back(), i);
        allocator.deallocate(singles[i], 1);
    }
    allocator.deallocate(three, 3);
}

TEST(a_common_pool_allocator, aligns_as_its_type_asks) {
    expect_aligned_and_writable<1, 1>();
    expect_aligned_and_writable<17, 16>();
    expect_aligned_and_writable<20, 4>();
    expect_aligned_and_writable<65, 64>();
    expect_aligned_and_writable<1, 256>();
    expect_aligned_and_writable<1000, 1024>();
}

TEST(a_common_pool_allocator, serves_objects_that_are_too_large_for_a_cache) {
    expect_aligned_and_writable<1025, 1>();
    expect_aligned_and_writable<5000, 8>();
    expect_aligned_and_writable<1, 4096>();
}

TEST(a_common_pool_allocator, refuses_arrays_larger_than_memory) {
    common_pool_allocator<long> allocator;
    const std::size_t too_many = std::numeric_limits<std::size_t>::max() / 2;
    EXPECT_THROW(static_cast<void>(allocator.allocate(too_many)), std::bad_alloc);
}

}  // namespace
}  // namespace freehold::common_pool_allocator_test
