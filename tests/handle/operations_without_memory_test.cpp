// SPDX-License-Identifier: BSL-1.0
// Every operation of arcs, of atomic pointers and of the ways to std, refused each of its
// allocations in turn. Objects are too large for the common pools, so that each block is a new
// allocation.
#include <freehold/count/biased_count.hpp>
#include <freehold/handle/arc.hpp>
#include <freehold/handle/atomic_arc.hpp>
#include <freehold/handle/atomic_shared_ptr.hpp>
#include <freehold/handle/std_interop.hpp>

#include "handle/failing_new.hpp"
#include "handle/large.hpp"

#include <memory>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace freehold::operations_without_memory_test {
namespace {

using tests::large;

struct open_large : large {
    virtual ~open_large() = default;
};

template <class Count>
arc<large, Count> made() {
    return make_arc<large, Count>();
}

// What is done, and how many allocations that takes at least: under a sanitizer, what the pools
// hold otherwise is allocated, too.
struct operation {
    const char* name;
    int allocations;
    void (*run)();
};

template <class Count>
const std::vector<operation>& operations() {
    static const std::vector<operation> all = {
        {"make", 1, [] { static_cast<void>(made<Count>()); }},
        {"make for overwrite", 1,
         [] { static_cast<void>(make_arc_for_overwrite<large, Count>()); }},
        {"make an open object", 1, [] { static_cast<void>(make_arc<open_large, Count>()); }},
        {"make an array", 1, [] { static_cast<void>(make_arc<large[], Count>(3)); }},
        {"copy a value into an array", 2,
         [] {
             const auto value = made<Count>();
             static_cast<void>(make_arc<large[], Count>(3, *value));
         }},
        {"allocate", 1,
         [] { static_cast<void>(allocate_arc<large, Count>(std::allocator<large>())); }},
        {"allocate an array", 1,
         [] { static_cast<void>(allocate_arc<large[], Count>(std::allocator<large>(), 3)); }},
        {"copy, move, look weakly", 1,
         [] {
             const auto owner = made<Count>();
             auto copy = owner;
             const weak_arc<large, Count> weak = copy;
             const auto moved = std::move(copy);
             EXPECT_EQ(weak.lock(), owner);
         }},
        {"become a shared_ptr", 1,
         [] {
             const shared_ptr<large, Count> owner = made<Count>();
             EXPECT_NE(owner, nullptr);
         }},
        {"become a std::shared_ptr and come back", 1,
         [] {
             const shared_ptr<large, Count> owner = make_shared<large, Count>();
             const auto theirs = to_std(owner);
             EXPECT_EQ((from_std<Count>(theirs)), owner);
         }},
        {"fill a vector", 4,
         [] {
             std::vector<arc<large, Count>> owners;
             owners.push_back(made<Count>());
             owners.push_back(made<Count>());
         }},
    };
    return all;
}

const std::vector<operation>& operations_of_atomic_pointers() {
    static const std::vector<operation> all = {
        {"store, load and exchange an arc", 2,
         [] {
             atomic_arc<large> place(make_arc<large>());
             const auto first = place.load();
             place.store(make_arc<large>());
             EXPECT_NE(place.exchange(first), first);
         }},
        {"compare and exchange an arc", 2,
         [] {
             atomic_arc<large> place(make_arc<large>());
             auto expected = place.load();
             EXPECT_TRUE(place.compare_exchange_strong(expected, make_arc<large>()));
         }},
        {"look at an arc while it is replaced", 2,
         [] {
             atomic_arc<large> place(make_arc<large>());
             const auto seen = place.snapshot();
             place.store(make_arc<large>());
             EXPECT_NE(seen.get(), place.load().get());
         }},
        {"store, load and exchange a shared_ptr", 2,
         [] {
             atomic_shared_ptr<large> place(make_shared<large>());
             const auto first = place.load();
             place.store(make_shared<large>());
             EXPECT_NE(place.exchange(first), first);
         }},
    };
    return all;
}

void expect_each_is_refused(const std::vector<operation>& operations) {
    for (const operation& each : operations) {
        SCOPED_TRACE(each.name);
        each.run();  // what the process allocates once stays
        const int refused = tests::fail_at_each_allocation(each.run, large::alive);
        EXPECT_GE(refused, each.allocations);
    }
}

TEST(operations_without_memory, of_atomic_counts_lose_nothing) {
    expect_each_is_refused(operations<atomic_count>());
}
TEST(operations_without_memory, of_local_counts_lose_nothing) {
    expect_each_is_refused(operations<local_count>());
}
TEST(operations_without_memory, of_biased_counts_lose_nothing) {
    expect_each_is_refused(operations<biased_count>());
}
TEST(operations_without_memory, of_atomic_pointers_lose_nothing) {
    expect_each_is_refused(operations_of_atomic_pointers());
}

}  // namespace
}  // namespace freehold::operations_without_memory_test
