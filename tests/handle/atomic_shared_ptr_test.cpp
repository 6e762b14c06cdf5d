// SPDX-License-Identifier: BSL-1.0
// What the contract of atomic pointers does not say: of weak_ptr, of pointers that share an owner,
// of arrays and bases; and the deprecated functions.
#include <freehold/count/biased_count.hpp>
#include <freehold/count/sharded_count.hpp>
#include <freehold/handle/atomic_arc.hpp>
#include <freehold/handle/atomic_shared_ptr.hpp>

#include <array>
#include <atomic>
#include <cstddef>
#include <thread>
#include <type_traits>
#include <utility>

#include <gtest/gtest.h>

namespace freehold::atomic_shared_ptr_test {
namespace {

template <class Count>
class an_atomic_handle : public testing::Test {};
using counts = testing::Types<atomic_count, biased_count, sharded_count>;
TYPED_TEST_SUITE(an_atomic_handle, counts);

static_assert(!std::is_copy_constructible_v<std::atomic<weak_ptr<int>>>);
static_assert(std::is_nothrow_default_constructible_v<std::atomic<shared_ptr<int>>>);

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
}

// A pointer that owns nothing has no counts to be protected.
TYPED_TEST(an_atomic_handle, holds_a_pointer_without_an_owner) {
    using handle = shared_ptr<int, TypeParam>;
    int number = 7;
    atomic_shared_ptr<int, TypeParam> place(handle(handle(), &number));
    auto held = place.snapshot();
    EXPECT_EQ(held.get(), &number);
    EXPECT_EQ(place.load().get(), &number);
    const handle owner = std::move(held);
    EXPECT_EQ(owner.get(), &number);
    EXPECT_EQ(owner.use_count(), 0);
    place = nullptr;
}

TYPED_TEST(an_atomic_handle, reads_and_replaces_a_weak_ptr) {
    using handle = weak_ptr<int, TypeParam>;
    auto owner = make_shared<int, TypeParam>(1);
    const auto other = make_shared<int, TypeParam>(2);
    static constinit std::atomic<handle> place;
    EXPECT_EQ(sizeof(place), 2 * sizeof(void*));
    EXPECT_TRUE(place.load().expired());
    place = owner;
    EXPECT_EQ(place.load().lock(), owner);
    handle expected = other;
    EXPECT_FALSE(place.compare_exchange_strong(expected, other));
    EXPECT_EQ(expected.lock(), owner);
    owner.reset();
    EXPECT_TRUE(place.load().expired());
    EXPECT_TRUE(place.compare_exchange_strong(expected, other)) << "also when it has expired";
    EXPECT_TRUE(place.exchange(handle()).owner_equal(other));
    place.store(handle());
}

// One object's owners and weak references are not the same debts.
TYPED_TEST(an_atomic_handle, keeps_owners_and_weak_references_apart) {
    const auto owner = make_shared<int, TypeParam>(1);
    atomic_shared_ptr<int, TypeParam> strong(owner);
    std::atomic<weak_ptr<int, TypeParam>> weak(owner);
    const auto held = strong.snapshot();
    weak = weak_ptr<int, TypeParam>();
    EXPECT_EQ(owner.use_count(), 2);
    strong = nullptr;
    EXPECT_EQ(owner.use_count(), 2) << "the snapshot's was paid when the place's went";
}

// A new pointer with the same owner is a new value too.
TYPED_TEST(an_atomic_handle, waits_for_another_pointer_with_the_same_owner) {
    using handle = shared_ptr<int, TypeParam>;
    const auto row = make_shared<int[2], TypeParam>(5);
    std::atomic<handle> place(handle(row, &row[0]));
    const handle before = place.load(), next(row, &row[1]);
    std::thread changer([&] {
        place.store(next);
        place.notify_one();
    });
    place.wait(before);
    EXPECT_EQ(place.load(), next);
    changer.join();
}

// Arrays without elements end where the next block may begin.
TYPED_TEST(an_atomic_handle, holds_arrays_of_any_length) {
    using row = arc<char[], TypeParam>;
    std::array<atomic_arc<char[], TypeParam>, 8> places;
    for (auto& place : places) place = make_arc<char[], TypeParam>(0);
    std::array<snapshot_ptr<row>, 8> held;
    for (std::size_t i = 0; i < held.size(); ++i) held[i] = places[i].snapshot();
    for (auto& place : places) place = make_arc<char[], TypeParam>(3, 'x');
    for (auto& each : held) {
        const row owner = std::move(each);
        EXPECT_EQ(owner.size(), 0U);
        EXPECT_EQ(owner.use_count(), 1);
    }
    EXPECT_EQ(places[0].snapshot()[2], 'x');
    atomic_shared_ptr<int[], TypeParam> shared(make_shared<int[], TypeParam>(2, 9));
    EXPECT_EQ(shared.snapshot()[1], 9);
}

TYPED_TEST(an_atomic_handle, destroys_an_object_of_a_derived_class) {
    struct base {
        virtual ~base() = default;
        [[nodiscard]] virtual int number() const { return 1; }
    };
    struct derived : base {
        explicit derived(bool& gone) : is_gone(gone) {}
        ~derived() override { is_gone = true; }
        [[nodiscard]] int number() const override { return 2; }
        bool& is_gone;
    };
    bool is_gone = false;
    atomic_arc<base, TypeParam> place(make_arc<derived, TypeParam>(is_gone));
    auto held = place.snapshot();
    place = nullptr;
    EXPECT_EQ(held->number(), 2);
    EXPECT_FALSE(is_gone);
    held.reset();
    EXPECT_TRUE(is_gone);
}

// A class that is only declared may have atomics, as it may have handles.
struct later;
struct has_a_later_one {
    atomic_arc<later> one;
    atomic_shared_ptr<later> other;
};
struct later {
    int value = 3;
};
TEST(an_atomic_handle_of_an_incomplete_class, is_complete) {
    has_a_later_one both;
    both.one = make_arc<later>();
    both.other = make_shared<later>();
    EXPECT_EQ(both.one.snapshot()->value, both.other.snapshot()->value);
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
}  // namespace freehold::atomic_shared_ptr_test
