// SPDX-License-Identifier: BSL-1.0
// What shared_ptr does beyond the contract when memory cannot be had. Objects and deleters here are
// too large for the block cache, so that each of their blocks is a new allocation.
#include <freehold/handle/shared_ptr.hpp>

#include "handle/failing_new.hpp"
#include "handle/large.hpp"

#include <array>
#include <memory>
#include <new>
#include <stdexcept>
#include <utility>

#include <gtest/gtest.h>

namespace freehold::shared_ptr_without_memory_test {
namespace {

using tests::large;

struct large_deleter {
    static inline int calls = 0;
    template <class T>
    void operator()(T* doomed) const {
        ++calls;
        delete doomed;
    }
    std::array<char, 20'000> bytes{};
};

template <class Scenario>
int fail_at_each_allocation(Scenario scenario) {
    return tests::fail_at_each_allocation(scenario, large::alive);
}

TEST(a_shared_ptr_without_memory, loses_nothing_that_it_was_to_make) {
    const int failures = fail_at_each_allocation([] {
        auto owner = make_shared<large>();
        owner = make_shared<large>(*owner);
        const auto row = make_shared<large[]>(2);
        const auto copies = make_shared<large[2]>(row[0]);
        const auto raw = make_shared_for_overwrite<large[]>(2);
        const auto allocated = freehold::allocate_shared<large[]>(std::allocator<large>(), 2);
        const weak_ptr<large> weak(owner);
    });
    EXPECT_EQ(failures, 6);
}

TEST(a_shared_ptr_without_memory, deletes_what_it_was_given) {
    int given = 0;
    large_deleter::calls = 0;
    const int failures = fail_at_each_allocation([&given] {
        auto* const raw = new large;
        ++given;
        shared_ptr<large> owner(raw, large_deleter());
        auto* const another = new large;
        ++given;
        owner.reset(another, large_deleter());
    });
    EXPECT_EQ(failures, 4);
    EXPECT_EQ(large_deleter::calls, given);
}

TEST(a_shared_ptr_without_memory, leaves_the_object_with_its_unique_ptr) {
    large_deleter::calls = 0;
    std::unique_ptr<large, large_deleter> sole(new large);
    shared_ptr<large> owner;
    tests::fail_allocation(1);
    EXPECT_THROW(owner = std::move(sole), std::bad_alloc);
    tests::fail_allocation(0);
    ASSERT_NE(sole, nullptr);
    EXPECT_EQ(owner, nullptr);
    EXPECT_EQ(large_deleter::calls, 0);
    owner = std::move(sole);
    EXPECT_EQ(sole, nullptr);
    owner.reset();
    EXPECT_EQ(large_deleter::calls, 1);
}

struct stillborn : large {
    stillborn() { throw std::runtime_error("stillborn"); }
};

TEST(a_shared_ptr_without_memory, gives_memory_back_when_a_constructor_throws) {
    const long live_before = tests::live_allocations();
    EXPECT_THROW(static_cast<void>(make_shared<stillborn>()), std::runtime_error);
    EXPECT_THROW(static_cast<void>(make_shared<stillborn[]>(3)), std::runtime_error);
    EXPECT_THROW(static_cast<void>(make_shared_for_overwrite<stillborn>()), std::runtime_error);
    EXPECT_EQ(large::alive, 0);
    EXPECT_EQ(tests::live_allocations(), live_before);
}

}  // namespace
}  // namespace freehold::shared_ptr_without_memory_test
