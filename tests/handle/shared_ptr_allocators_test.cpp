// SPDX-License-Identifier: BSL-1.0
// That allocators are obeyed to the letter, and that nothing is lost when they refuse.
#include <freehold/handle/shared_ptr.hpp>

#include "contracts/observed_allocator.hpp"

#include <cstddef>
#include <memory>
#include <new>
#include <stdexcept>
#include <utility>

#include <gtest/gtest.h>

namespace freehold::shared_ptr_allocators_test {
namespace {

using contracts::allocator_log;
using contracts::observed_allocator;

struct pair_of_numbers {
    pair_of_numbers(int a, std::unique_ptr<int> b) : first(a), second(std::move(b)) {}
    int first;
    std::unique_ptr<int> second;
};
struct impossible {
    explicit impossible(int) { throw std::runtime_error("never"); }
};

TEST(allocate_shared, has_its_allocator_construct_and_destroy) {
    allocator_log log;
    const observed_allocator<char> allocator(log);
    {
        const auto owner =
            freehold::allocate_shared<pair_of_numbers>(allocator, 1, std::make_unique<int>(2));
        EXPECT_EQ(*owner->second, 2);
        EXPECT_EQ(log.constructed, 1);
        const auto constant = allocate_shared<const int>(allocator, 5);
        EXPECT_EQ(log.constructed, 2);
        const auto row = allocate_shared<long[]>(allocator, 3, 4L);
        const auto rows = allocate_shared<int[2][3]>(allocator);
        EXPECT_EQ(rows[1][2], 0);
        EXPECT_EQ(log.constructed, 11);
        EXPECT_EQ(log.allocations, 4) << "one block for each object with its counts";
    }
    EXPECT_EQ(log.destroyed, 11);
    {
        const auto raw = allocate_shared_for_overwrite<int>(allocator);
        const auto raw_row = allocate_shared_for_overwrite<int[4]>(allocator);
        EXPECT_EQ(log.constructed, 11) << "default initialisation is the language's";
    }
    EXPECT_EQ(log.destroyed, 11);
}

TEST(allocate_shared, keeps_the_memory_while_a_weak_ptr_is_left) {
    allocator_log log;
    auto owner = allocate_shared<int[]>(observed_allocator<int>(log), 2);
    weak_ptr<int[]> weak(owner);
    owner.reset();
    EXPECT_EQ(log.destroyed, 2);
    EXPECT_EQ(log.lent.size(), 1U);
    weak.reset();
    EXPECT_TRUE(log.lent.empty());
}

TEST(allocate_shared, gives_memory_back_when_the_constructor_throws) {
    allocator_log log;
    const observed_allocator<impossible> allocator(log);
    EXPECT_THROW(static_cast<void>(allocate_shared<impossible>(allocator, 1)), std::runtime_error);
    EXPECT_EQ(log.allocations, 1);
}

TEST(allocate_shared, makes_nothing_when_its_allocator_refuses) {
    allocator_log log;
    log.allocations_allowed = 0;
    const observed_allocator<int> allocator(log);
    EXPECT_THROW(static_cast<void>(allocate_shared<int>(allocator, 1)), std::bad_alloc);
    EXPECT_THROW(static_cast<void>(allocate_shared<int[]>(allocator, 3)), std::bad_alloc);
    EXPECT_THROW(static_cast<void>(allocate_shared_for_overwrite<int>(allocator)), std::bad_alloc);
    EXPECT_EQ(log.constructed, 0);
}

inline std::size_t bytes_asked_for = 0;

template <class T>
struct measuring_allocator {
    using value_type = T;
    measuring_allocator() = default;
    template <class U>
    measuring_allocator(const measuring_allocator<U>&) {}
    T* allocate(std::size_t length) {
        bytes_asked_for = length * sizeof(T);
        return std::allocator<T>().allocate(length);
    }
    void deallocate(T* memory, std::size_t length) {
        std::allocator<T>().deallocate(memory, length);
    }
    template <class U>
    bool operator==(const measuring_allocator<U>&) const {
        return true;
    }
};

// No larger than libstdc++'s: what manages the block, both counts, and an int or a pointer.
TEST(allocate_shared, asks_for_small_blocks) {
    constexpr std::size_t words = sizeof(void*);
    const measuring_allocator<int> allocator;
    const auto in_place = allocate_shared<int>(allocator, 1);
    EXPECT_EQ(bytes_asked_for, 3 * words);
    const auto local = allocate_shared<int, local_count>(allocator, 1);
    EXPECT_EQ(bytes_asked_for, 3 * words);
    const shared_ptr<int> given(new int, std::default_delete<int>(), allocator);
    EXPECT_EQ(bytes_asked_for, 4 * words);
}

TEST(a_shared_ptr_with_an_allocator, takes_its_counts_memory_from_it) {
    allocator_log log;
    int calls = 0;
    const auto count_calls = [&calls](const int* doomed) {
        ++calls;
        delete doomed;
    };
    {
        shared_ptr<int> owner(new int(1), count_calls, observed_allocator<char>(log));
        EXPECT_EQ(log.lent.size(), 1U);
        weak_ptr<int> weak(owner);
        owner.reset(new int(2), count_calls, observed_allocator<long>(log));
        EXPECT_EQ(log.lent.size(), 2U);
        weak = owner;
        EXPECT_EQ(log.lent.size(), 1U);
    }
    EXPECT_EQ(calls, 2);
    EXPECT_EQ(log.constructed, 0) << "an object that was given is not the allocator's";
}

TEST(a_shared_ptr_with_an_allocator, deletes_its_object_when_that_refuses) {
    allocator_log log;
    log.allocations_allowed = 0;
    int calls = 0;
    const auto count_calls = [&calls](const int* doomed) {
        ++calls;
        delete doomed;
    };
    const observed_allocator<int> allocator(log);
    EXPECT_THROW(shared_ptr<int>(new int(1), count_calls, allocator), std::bad_alloc);
    EXPECT_EQ(calls, 1);
    shared_ptr<int> owner = make_shared<int>(3);
    EXPECT_THROW(owner.reset(new int(2), count_calls, allocator), std::bad_alloc);
    EXPECT_EQ(calls, 2);
    EXPECT_EQ(*owner, 3) << "a reset that fails changes nothing";
    const auto count_nulls = [&calls](std::nullptr_t) { ++calls; };
    EXPECT_THROW(shared_ptr<int>(nullptr, count_nulls, allocator), std::bad_alloc);
    EXPECT_EQ(calls, 3);
}

}  // namespace
}  // namespace freehold::shared_ptr_allocators_test
