// SPDX-License-Identifier: BSL-1.0
// What every weak handle promises: it finds its object as long as that has an owner, never after,
// and keeps it alive at no time; the memory outlives both kinds of handle by nothing.
#pragma once

#include "contracts/observed_allocator.hpp"
#include "contracts/observed_objects.hpp"

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <memory>
#include <random>
#include <type_traits>
#include <utility>

#include <gtest/gtest.h>

namespace freehold::contracts {

// A dog whose animal stands at its beginning, so that one-word handles can be converted.
template <class Strategy>
struct hound final : animal<Strategy> {
    using animal<Strategy>::animal;
    ~hound() override { ++census::dogs_destroyed; }
};

// Knows itself, and looks for itself when it is destroyed.
template <class Strategy>
struct introspective {
    introspective() { ++census::alive; }
    introspective(const introspective&) = delete;
    introspective& operator=(const introspective&) = delete;
    ~introspective() {
        --census::alive;
        EXPECT_TRUE(self.expired());
        EXPECT_EQ(self.lock(), nullptr);
        const auto copy = self;
        EXPECT_EQ(copy.use_count(), 0);
    }
    typename Strategy::template weak_handle<introspective> self;
};

template <class Strategy>
using weak_animal = typename Strategy::template weak_handle<animal<Strategy>>;
template <class Strategy>
using weak_hound = typename Strategy::template weak_handle<hound<Strategy>>;

template <class Strategy>
class weak_handle : public testing::Test {
protected:
    static animal_handle<Strategy> make(int number = 0) {
        return Strategy::template make<animal<Strategy>>(number);
    }

    void SetUp() override { census::start(); }
    void TearDown() override { EXPECT_EQ(census::alive, 0) << "an object outlived its owners"; }
};

TYPED_TEST_SUITE_P(weak_handle);

TYPED_TEST_P(weak_handle, null_knows_nothing) {
    using weak = weak_animal<TypeParam>;
    static constinit const weak constant;
    const animal_handle<TypeParam> nobody;
    const weak by_default, copy(by_default), of_null(nobody);
    for (const weak* null : {&constant, &by_default, &copy, &of_null}) {
        EXPECT_TRUE(null->expired());
        EXPECT_EQ(null->use_count(), 0);
        EXPECT_EQ(null->lock(), nullptr);
    }
}

TYPED_TEST_P(weak_handle, finds_its_object_while_that_has_an_owner) {
    auto owner = this->make(7);
    const weak_animal<TypeParam> observer(owner);
    EXPECT_EQ(observer.use_count(), 1);
    EXPECT_FALSE(observer.expired());
    {
        const auto locked = observer.lock();
        EXPECT_EQ(locked, owner);
        EXPECT_EQ(locked->value, 7);
        EXPECT_EQ(observer.use_count(), 2);
        owner.reset();
        EXPECT_EQ(census::alive, 1);
        EXPECT_EQ(observer.lock()->value, 7);
    }
    EXPECT_EQ(census::animals_destroyed, 1);
    EXPECT_TRUE(observer.expired());
    EXPECT_EQ(observer.use_count(), 0);
    EXPECT_EQ(observer.lock(), nullptr);
    EXPECT_EQ(observer.lock(), nullptr);
}

TYPED_TEST_P(weak_handle, can_be_handled_when_its_object_is_gone) {
    using weak = weak_animal<TypeParam>;
    auto owner = this->make();
    const auto other = this->make(2);
    weak first(owner), second(other);
    owner.reset();
    weak copy(first), moved(std::move(first));
    EXPECT_TRUE(copy.expired());
    EXPECT_TRUE(moved.expired());
    copy = second;
    EXPECT_EQ(copy.lock(), other);
    copy = moved;
    EXPECT_EQ(copy.lock(), nullptr);
    swap(copy, second);
    EXPECT_EQ(copy.lock(), other);
    EXPECT_EQ(second.lock(), nullptr);
    second.swap(copy);
    second = std::move(copy);
    EXPECT_EQ(second.lock(), nullptr);
    second.reset();
    EXPECT_EQ(second.lock(), nullptr);
}

TYPED_TEST_P(weak_handle, moves_leave_null_behind) {
    using weak = weak_animal<TypeParam>;
    const auto owner = this->make();
    weak first(owner);
    weak second(std::move(first));
    EXPECT_EQ(first.lock(), nullptr);
    EXPECT_EQ(second.lock(), owner);
    first = std::move(second);
    EXPECT_EQ(second.lock(), nullptr);
    weak& same = first;
    first = std::move(same);
    EXPECT_EQ(first.lock(), owner);
    first = same;
    EXPECT_EQ(first.lock(), owner);
}

TYPED_TEST_P(weak_handle, converts_from_derived) {
    using weak = weak_animal<TypeParam>;
    using weak_derived = weak_hound<TypeParam>;
    auto owner = TypeParam::template make<hound<TypeParam>>(5);
    weak_derived known(owner);
    weak from_strong(owner), from_weak(known), from_moved(weak_derived{known}), assigned;
    for (const weak* base : {&from_strong, &from_weak, &from_moved}) {
        EXPECT_EQ(base->lock(), owner);
        EXPECT_EQ(base->use_count(), 1);
    }
    assigned = known;
    EXPECT_EQ(assigned.lock(), owner);
    assigned = owner;
    assigned = std::move(known);
    EXPECT_EQ(known.lock(), nullptr);
    owner.reset();
    EXPECT_EQ(census::dogs_destroyed, 1);
    EXPECT_TRUE(assigned.expired());
    assigned = weak_derived(from_weak.lock() == nullptr ? weak_derived() : known);
    EXPECT_TRUE(assigned.expired());
    EXPECT_FALSE((std::convertible_to<weak, weak_derived>));
    EXPECT_FALSE((std::constructible_from<weak, decltype(owner.get())>));
}

TYPED_TEST_P(weak_handle, never_throws) {
    using weak = weak_animal<TypeParam>;
    using weak_derived = weak_hound<TypeParam>;
    EXPECT_TRUE(std::is_nothrow_default_constructible_v<weak>);
    EXPECT_TRUE(std::is_nothrow_copy_constructible_v<weak>);
    EXPECT_TRUE(std::is_nothrow_move_constructible_v<weak>);
    EXPECT_TRUE(std::is_nothrow_copy_assignable_v<weak>);
    EXPECT_TRUE(std::is_nothrow_move_assignable_v<weak>);
    EXPECT_TRUE(std::is_nothrow_swappable_v<weak>);
    EXPECT_TRUE((std::is_nothrow_constructible_v<weak, const animal_handle<TypeParam>&>));
    EXPECT_TRUE((std::is_nothrow_constructible_v<weak, const weak_derived&>));
    EXPECT_TRUE((std::is_nothrow_constructible_v<weak, weak_derived>));
    EXPECT_TRUE(noexcept(std::declval<const weak&>().lock()));
}

TYPED_TEST_P(weak_handle, finds_nothing_from_within_its_objects_destructor) {
    auto owner = TypeParam::template make<introspective<TypeParam>>();
    owner->self = owner;
    EXPECT_EQ(owner->self.lock(), owner);
    EXPECT_TRUE(owner.unique());
    const auto outside = owner->self;
    owner.reset();
    EXPECT_TRUE(outside.expired());
    EXPECT_EQ(census::alive, 0);
}

TYPED_TEST_P(weak_handle, keeps_the_memory_and_not_the_object) {
    allocator_log log;
    auto owner = TypeParam::template allocate<hound<TypeParam>>(
        observed_allocator<hound<TypeParam>>(log), 3);
    using weak_to_it = typename decltype(owner)::weak_type;
    {
        weak_to_it first(owner);
        const weak_to_it second(first);
        owner.reset();
        EXPECT_EQ(census::alive, 0);
        EXPECT_EQ(log.lent.size(), 1U);
        first.reset();
        EXPECT_EQ(log.lent.size(), 1U);
    }
    EXPECT_TRUE(log.lent.empty());
    owner = TypeParam::template allocate<hound<TypeParam>>(
        observed_allocator<hound<TypeParam>>(log), 4);
    { const weak_to_it brief(owner); }
    EXPECT_EQ(log.lent.size(), 1U);
    owner.reset();
    EXPECT_TRUE(log.lent.empty());
    EXPECT_EQ(log.allocations, 2);
}

// Random steps of owners and weak handles against a plain model: which object each should know.
TYPED_TEST_P(weak_handle, agrees_with_a_model) {
    std::array<animal_handle<TypeParam>, 6> owners;
    std::array<weak_animal<TypeParam>, 6> observers;
    std::array<int, 6> owned{}, known{};
    int last_made = 0;
    std::mt19937 random(2026);
    for (int step = 0; step < 2000; ++step) {
        const std::size_t to = random() % owners.size(), from = random() % owners.size();
        const auto owners_of = [&owned](int object) {
            return object == 0 ? 0 : std::count(owned.begin(), owned.end(), object);
        };
        switch (random() % 7) {
            case 0:
                owners[to] = this->make(++last_made);
                owned[to] = last_made;
                break;
            case 1:
                owners[to] = owners[from];
                owned[to] = owned[from];
                break;
            case 2:
                owners[to].reset();
                owned[to] = 0;
                break;
            case 3:
                owners[to] = observers[from].lock();
                owned[to] = owners_of(known[from]) != 0 ? known[from] : 0;
                break;
            case 4:
                observers[to] = owners[from];
                known[to] = owned[from];
                break;
            case 5:
                observers[to] = observers[from];
                known[to] = known[from];
                break;
            default:
                observers[to].swap(observers[from]);
                std::swap(known[to], known[from]);
        }
        for (std::size_t i = 0; i < observers.size(); ++i) {
            ASSERT_EQ(owners[i] != nullptr ? owners[i]->value : 0, owned[i]) << "step " << step;
            ASSERT_EQ(observers[i].use_count(), owners_of(known[i])) << "step " << step;
            const auto locked = observers[i].lock();
            ASSERT_EQ(locked != nullptr ? locked->value : 0,
                      owners_of(known[i]) != 0 ? known[i] : 0)
                << "step " << step;
        }
    }
}

REGISTER_TYPED_TEST_SUITE_P(weak_handle, null_knows_nothing,
                            finds_its_object_while_that_has_an_owner,
                            can_be_handled_when_its_object_is_gone, moves_leave_null_behind,
                            converts_from_derived, never_throws,
                            finds_nothing_from_within_its_objects_destructor,
                            keeps_the_memory_and_not_the_object, agrees_with_a_model);

}  // namespace freehold::contracts
