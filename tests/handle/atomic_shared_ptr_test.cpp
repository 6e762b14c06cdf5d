// SPDX-License-Identifier: BSL-1.0
// std::atomic of shared_ptr and weak_ptr on one thread; tests/stress/ has it on many.
#include <freehold/handle/shared_ptr.hpp>

#include <atomic>
#include <thread>
#include <type_traits>
#include <utility>

#include <gtest/gtest.h>

namespace freehold {
namespace {

template <class Handle>
class an_atomic_handle : public testing::Test {};
using counts = testing::Types<atomic_count, biased_count>;
TYPED_TEST_SUITE(an_atomic_handle, counts);

static_assert(sizeof(std::atomic<shared_ptr<int>>) == 3 * sizeof(void*));
static_assert(!std::is_copy_constructible_v<std::atomic<weak_ptr<int>>>);
static_assert(std::is_nothrow_default_constructible_v<std::atomic<shared_ptr<int>>>);

TYPED_TEST(an_atomic_handle, reads_and_replaces_a_shared_ptr) {
    using handle = shared_ptr<int, TypeParam>;
    static constinit std::atomic<handle> null, also_null = nullptr;
    EXPECT_EQ(null.load(), nullptr);
    EXPECT_EQ(also_null.load(), nullptr);
    const auto one = make_shared<int, TypeParam>(1);
    const auto two = make_shared<int, TypeParam>(2);
    std::atomic<handle> place(one);
    EXPECT_EQ(one.use_count(), 2);
    EXPECT_EQ(place.load(), one);
    place = two;
    EXPECT_TRUE(one.unique());
    EXPECT_EQ(static_cast<handle>(place), two);
    EXPECT_EQ(place.exchange(one), two);
    place.store(two);
    EXPECT_EQ(two.use_count(), 2);
    place = nullptr;
    EXPECT_TRUE(two.unique());
    EXPECT_FALSE(place.is_lock_free());
    EXPECT_FALSE(std::atomic<handle>::is_always_lock_free);
}

TYPED_TEST(an_atomic_handle, exchanges_if_owner_and_pointer_are_as_expected) {
    using handle = shared_ptr<int, TypeParam>;
    const auto row = make_shared<int[2], TypeParam>(5);
    const handle first(row, &row[0]), second(row, &row[1]);
    std::atomic<handle> place(first);
    handle expected = second;
    EXPECT_FALSE(place.compare_exchange_strong(expected, second));
    EXPECT_EQ(expected, first);
    expected = handle(handle(), &row[0]);
    EXPECT_FALSE(place.compare_exchange_weak(expected, second)) << "it owns nothing";
    EXPECT_TRUE(expected.owner_equal(first));
    EXPECT_TRUE(place.compare_exchange_weak(expected, second));
    EXPECT_EQ(place.load(), second);
    EXPECT_EQ(expected, first) << "unchanged";
    expected = nullptr;
    EXPECT_FALSE(place.compare_exchange_strong(expected, nullptr, std::memory_order_acq_rel,
                                               std::memory_order_acquire));
    EXPECT_TRUE(place.compare_exchange_strong(expected, nullptr, std::memory_order_acq_rel,
                                              std::memory_order_acquire));
    EXPECT_EQ(place.load(), nullptr);
}

TYPED_TEST(an_atomic_handle, reads_and_replaces_a_weak_ptr) {
    using handle = weak_ptr<int, TypeParam>;
    auto owner = make_shared<int, TypeParam>(1);
    const auto other = make_shared<int, TypeParam>(2);
    static constinit std::atomic<handle> place;
    EXPECT_TRUE(place.load().expired());
    place = owner;
    EXPECT_EQ(place.load().lock(), owner);
    handle expected = other;
    EXPECT_FALSE(place.compare_exchange_strong(expected, other));
    EXPECT_EQ(expected.lock(), owner);
    owner.reset();
    EXPECT_TRUE(place.compare_exchange_strong(expected, other)) << "also when it has expired";
    EXPECT_TRUE(place.exchange(handle()).owner_equal(other));
    place.store(handle());
}

// The old value's destructor may come back: the lock must have been given back by then.
TYPED_TEST(an_atomic_handle, may_be_visited_by_the_destructor_that_it_causes) {
    struct visitor {
        std::atomic<shared_ptr<visitor, TypeParam>>& place;
        int& visits;
        ~visitor() {
            ++visits;
            EXPECT_EQ(place.load(), nullptr);
        }
    };
    int visits = 0;
    std::atomic<shared_ptr<visitor, TypeParam>> place;
    const auto make = [&] { return shared_ptr<visitor, TypeParam>(new visitor{place, visits}); };
    place = make();
    place = nullptr;
    place = make();
    place.exchange(nullptr);
    place = make();
    auto expected = place.load();
    EXPECT_TRUE(place.compare_exchange_strong(expected, nullptr));
    auto last = make();
    EXPECT_FALSE(place.compare_exchange_strong(last, nullptr)) << "which lets go of `last`";
    expected.reset();
    EXPECT_EQ(visits, 4);
}

// A new pointer with the same owner is a new value too.
TYPED_TEST(an_atomic_handle, waits_until_it_holds_something_else) {
    using handle = shared_ptr<int, TypeParam>;
    const auto row = make_shared<int[2], TypeParam>(5);
    std::atomic<handle> place(handle(row, &row[0]));
    place.wait(nullptr);
    for (const handle& next : {handle(row, &row[1]), handle()}) {
        const handle before = place.load();
        std::thread changer([&] {
            place.notify_one();
            place.store(next);
            place.notify_one();
        });
        place.wait(before);
        EXPECT_EQ(place.load(), next);
        changer.join();
    }
}

TEST(the_deprecated_atomic_functions, read_and_replace_an_ordinary_shared_ptr) {
    const auto one = make_shared<int>(1);
    shared_ptr<int> place(one);
    EXPECT_FALSE(atomic_is_lock_free(&place));
    EXPECT_EQ(atomic_load(&place), one);
    atomic_store(&place, make_shared<int>(2));
    EXPECT_EQ(*atomic_exchange(&place, one), 2);
    shared_ptr<int> expected;
    EXPECT_FALSE(atomic_compare_exchange_strong(&place, &expected, shared_ptr<int>()));
    EXPECT_EQ(expected, one);
    EXPECT_TRUE(atomic_compare_exchange_weak(&place, &expected, shared_ptr<int>()));
    EXPECT_EQ(atomic_load_explicit(&place, std::memory_order_acquire), nullptr);
    atomic_store_explicit(&place, one, std::memory_order_release);
    EXPECT_EQ(one.use_count(), 3);
}

}  // namespace
}  // namespace freehold
