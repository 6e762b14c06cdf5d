// SPDX-License-Identifier: BSL-1.0
// Arrays of known and unknown bound: given, made, with initial values, and half made.
#include <freehold/handle/shared_ptr.hpp>

#include "contracts/observed_allocator.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <vector>

#include <gtest/gtest.h>

namespace freehold::shared_ptr_arrays_test {
namespace {

// Says who was born and died in which order, and refuses to be born as number `refused`.
struct element {
    static inline std::vector<int> born, died;
    static inline int refused = -1;
    static void start(int refuse = -1) {
        born.clear();
        died.clear();
        refused = refuse;
    }
    element() : element(0) {}
    explicit element(int v) : value(v), number(static_cast<int>(born.size())) {
        if (number == refused) throw number;
        born.push_back(number);
    }
    element(const element& other) : element(other.value) {}
    element& operator=(const element&) = delete;
    ~element() { died.push_back(number); }
    int value;
    int number;
};

const std::vector<int> four{0, 1, 2, 3};
const std::vector<int> four_backwards{3, 2, 1, 0};

TEST(a_shared_array, is_deleted_as_an_array) {
    element::start();
    {
        shared_ptr<element[]> owner(new element[3]);
        const shared_ptr<element[3]> fixed(new element[3]);
        const shared_ptr<const element[]> view(fixed);
        EXPECT_EQ(&view[1], &fixed[1]);
        EXPECT_EQ(view.use_count(), 2);
        owner.reset(new element[1]);
        EXPECT_EQ(element::died.size(), 3U);
    }
    EXPECT_EQ(element::died.size(), 7U);
}

TEST(a_shared_array, is_made_forwards_and_destroyed_backwards) {
    element::start();
    { const auto owner = make_shared<element[]>(4); }
    EXPECT_EQ(element::born, four);
    EXPECT_EQ(element::died, four_backwards);
    element::start();
    { const auto owner = make_shared<element[2][2]>(); }
    EXPECT_EQ(element::born, four);
    EXPECT_EQ(element::died, four_backwards);
    element::start();
    { const auto owner = make_shared_for_overwrite<element[4]>(); }
    EXPECT_EQ(element::died, four_backwards);
    element::start();
    EXPECT_NE(make_shared<element[]>(0), nullptr);
    EXPECT_TRUE(element::born.empty());
}

TEST(a_shared_array, has_the_values_that_it_is_given) {
    const auto zeros = make_shared<int[]>(1000);
    for (std::ptrdiff_t i = 0; i < 1000; ++i) ASSERT_EQ(zeros[i], 0);
    const auto sevens = make_shared<long[3]>(7);
    EXPECT_EQ(sevens[2], 7);
    const int row[2] = {1, 2};
    const auto rows = make_shared<int[][2]>(3, row);
    const auto fixed_rows = make_shared<const int[3][2]>(row);
    for (std::ptrdiff_t i = 0; i < 3; ++i) {
        EXPECT_EQ(rows[i][1], 2);
        EXPECT_EQ(fixed_rows[i][0], 1);
    }
    const auto elements = make_shared<element[]>(2, element(5));
    EXPECT_EQ(elements[1].value, 5);
    EXPECT_EQ((make_shared<std::array<int, 2>[]>(1, {3, 4})[0][1]), 4);
}

TEST(a_shared_array, destroys_what_was_made_when_a_constructor_throws) {
    contracts::allocator_log log;
    const contracts::observed_allocator<int> allocator(log);
    const element five(5);
    const element pair[2] = {element(1), element(2)};
    for (int refused = 0; refused < 4; ++refused) {
        const std::vector<int> made(four.begin(), four.begin() + refused);
        const std::vector<int> backwards(made.rbegin(), made.rend());
        const auto expect_refusal = [&](auto make) {
            element::start(refused);
            EXPECT_THROW(make(), int);
            EXPECT_EQ(element::born, made);
            EXPECT_EQ(element::died, backwards);
            EXPECT_TRUE(log.lent.empty());
            element::start();
        };
        expect_refusal([] { return make_shared<element[]>(4); });
        expect_refusal([&] { return make_shared<element[4]>(five); });
        expect_refusal([&] { return make_shared<element[][2]>(2, pair); });
        expect_refusal([] { return make_shared_for_overwrite<element[2][2]>(); });
        expect_refusal([&] { return allocate_shared<element[]>(allocator, 4); });
        expect_refusal([&] { return allocate_shared<element[4]>(allocator, five); });
        expect_refusal([&] { return allocate_shared<element[2][2]>(allocator, pair); });
        expect_refusal([&] { return allocate_shared_for_overwrite<element[]>(allocator, 4); });
    }
    EXPECT_EQ(log.allocations, 16);
}

TEST(a_shared_array, longer_than_memory_is_refused) {
    constexpr auto most = std::numeric_limits<std::size_t>::max();
    for (const std::size_t length : {most, most / 2, most / sizeof(long), most / sizeof(long) + 2})
        EXPECT_THROW(static_cast<void>(make_shared<long[]>(length)), std::bad_alloc);
}

TEST(a_shared_array, is_aligned_as_its_elements) {
    struct alignas(64) wide {
        char bytes[64];
    };
    for (std::size_t length : {0U, 1U, 3U}) {
        const auto owner = make_shared<wide[]>(length);
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(owner.get()) % 64, 0U);
    }
    const auto bytes = make_shared<char[]>(3);
    const weak_ptr<char[]> weak(bytes);
    EXPECT_EQ(weak.lock(), bytes);
}

}  // namespace
}  // namespace freehold::shared_ptr_arrays_test
