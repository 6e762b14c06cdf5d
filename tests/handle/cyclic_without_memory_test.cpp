// SPDX-License-Identifier: BSL-1.0
// A heap of cyclic objects whose k-th allocation fails, for every k: its own tables count among
// them. Making throws; releases, moves and collections go on without the memory, lose no reachable
// object, and find the garbage later.
#include <freehold/handle/cyclic_ptr.hpp>

#include "handle/failing_new.hpp"

#include <array>
#include <cstddef>
#include <new>
#include <thread>
#include <utility>

#include <gtest/gtest.h>

namespace freehold::cyclic_without_memory_test {
namespace {

struct node {
    explicit node(int& alive_) : alive(alive_) { ++alive; }
    node(const node&) = delete;
    node& operator=(const node&) = delete;
    ~node() { --alive; }
    void trace(edge_visitor& visit) { visit(left, right); }
    int& alive;
    cyclic_ptr<node> left, right;
};

constexpr std::size_t many = 3000;  // more than a block of the heap's tables holds

struct outcome {
    bool failed = false;
    bool threw = false;
};

// Rings, a long list that lives, and old garbage, on a heap of its own.
void build_and_collect(long k, outcome& result) {
    int alive = 0;
    std::array<weak_cyclic_ptr<node>, many> weak;
    {
        cyclic_ptr<node> list;
        std::size_t length = 0;
        tests::fail_allocation(k);
        try {
            for (std::size_t i = 0; i < many; ++i) {
                auto next = make_cyclic<node>(alive);
                weak[i] = next;
                next->left = std::exchange(list, next);
                ++length;
            }
            collect_cycles(many / 2);
            for (std::size_t i = 0; i < many; ++i) {
                const auto one = make_cyclic<node>(alive);
                one->left = make_cyclic<node>(alive);
                one->left->right = one;
            }
        } catch (const std::bad_alloc&) {
            result.threw = true;
        }
        collect_cycles(many / 2);
        collect_cycles();
        result.failed = tests::has_failed();
        tests::fail_allocation(0);
        ASSERT_GE(alive, static_cast<int>(length)) << "the list was cut";
        std::size_t reached = 0;
        for (const node* n = list.get(); n; n = n->left.get()) ++reached;
        ASSERT_EQ(reached, length);
        if (list) list->right = list;
    }
    for (const auto& each : weak) static_cast<void>(each.lock());
    collect_cycles();
    if (!result.failed) {
        ASSERT_EQ(alive, 0);
    }
    // What was not noted for want of memory is noted when it is next touched; here, only rings
    // nobody can touch.
    ASSERT_LE(alive, static_cast<int>(2 * many));
    for (const auto& each : weak) ASSERT_TRUE(each.expired());
}

TEST(a_cyclic_heap_without_memory, loses_nothing_and_goes_on) {
    int failures = 0, failures_in_silence = 0;
    for (long k = 1;; ++k) {
        outcome result;
        std::thread([&] { build_and_collect(k, result); }).join();
        if (HasFatalFailure()) FAIL() << "when allocation " << k << " failed";
        if (!result.failed) break;
        ++failures;
        failures_in_silence += !result.threw;
    }
    EXPECT_GE(failures, 15);
    EXPECT_GE(failures_in_silence, 3) << "no table of the heap was refused";
}

TEST(a_cyclic_heap_without_memory, deletes_the_object_that_it_cannot_adopt) {
    std::thread([] {
        int alive = 0, deleted = 0;
        auto* const raw = new node(alive);
        tests::fail_allocation(1);
        const auto deleter = [&deleted](node* doomed) {
            ++deleted;
            delete doomed;
        };
        EXPECT_THROW(cyclic_ptr<node>(raw, deleter), std::bad_alloc);
        tests::fail_allocation(0);
        EXPECT_EQ(alive, 0);
        EXPECT_EQ(deleted, 1);
    }).join();
}

}  // namespace
}  // namespace freehold::cyclic_without_memory_test
