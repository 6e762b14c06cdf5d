// SPDX-License-Identifier: BSL-1.0
// What every handle that counts promises about copy assignments: one between handles of one owner
// counts nothing, and one that releases an object may read its value from within it. Instantiated
// for each strategy (see observed_objects.hpp).
#pragma once

#include <freehold/count/local_count.hpp>

#include "contracts/observed_objects.hpp"

#include <utility>

#include <gtest/gtest.h>

namespace freehold::contracts {

// local_count, which logs how often an owner or a weak reference was added to any object.
struct logged_count : local_count {
    static inline int additions = 0;

    using local_count::local_count;
    // g++ 11 copies a result whose class only inherits a deleted copy constructor.
    logged_count(const logged_count&) = delete;
    void increment() noexcept {
        ++additions;
        local_count::increment();
    }

    struct with_weak : local_count::with_weak {
        using local_count::with_weak::with_weak;
        void increment() noexcept {
            ++additions;
            local_count::with_weak::increment();
        }
        void increment_weak() noexcept {
            ++additions;
            local_count::with_weak::increment_weak();
        }
    };
};

// An animal at whose beginning the base is, so that one-word handles can be converted.
template <class Strategy>
struct cat final : animal<Strategy> {
    using animal<Strategy>::animal;
};

template <class Strategy>
class assignment : public testing::Test {
protected:
    void SetUp() override {
        census::start();
        logged_count::additions = 0;
    }
    void TearDown() override { EXPECT_EQ(census::alive, 0) << "an object outlived its owners"; }
};

TYPED_TEST_SUITE_P(assignment);

TYPED_TEST_P(assignment, of_one_owner_counts_nothing) {
    auto first = TypeParam::template make<animal<TypeParam>>(3);
    auto second = first;
    const auto* const object = first.get();
    logged_count::additions = 0;
    first = second;
    second = first;
    auto& same = first;
    first = same;
    EXPECT_EQ(logged_count::additions, 0);
    EXPECT_EQ(first.get(), object);
    EXPECT_EQ(second.get(), object);
    EXPECT_EQ(first.use_count(), 2);
    first.reset();
    EXPECT_TRUE(second.unique());
    EXPECT_EQ(census::animals_destroyed, 0);
}

TYPED_TEST_P(assignment, of_another_type_and_one_owner_counts_nothing) {
    const auto derived = TypeParam::template make<cat<TypeParam>>(3);
    animal_handle<TypeParam> base(derived);
    logged_count::additions = 0;
    base = derived;
    EXPECT_EQ(logged_count::additions, 0);
    EXPECT_EQ(base.get(), derived.get());
    EXPECT_EQ(base.use_count(), 2);
    base = TypeParam::template make<animal<TypeParam>>(4);
    base = derived;
    EXPECT_EQ(census::animals_destroyed, 1);
    EXPECT_EQ(base->value, 3);
    EXPECT_EQ(derived.use_count(), 2);
}

TYPED_TEST_P(assignment, by_a_move_from_another_type_counts_nothing) {
    auto derived = TypeParam::template make<cat<TypeParam>>(3);
    animal_handle<TypeParam> base;
    logged_count::additions = 0;
    base = std::move(derived);
    EXPECT_EQ(logged_count::additions, 0);
    EXPECT_EQ(derived, nullptr);
    EXPECT_TRUE(base.unique());
    if constexpr (requires { typename TypeParam::template weak_handle<animal<TypeParam>>; }) {
        const auto another = TypeParam::template make<cat<TypeParam>>(4);
        typename TypeParam::template weak_handle<cat<TypeParam>> weak_derived(another);
        typename TypeParam::template weak_handle<animal<TypeParam>> weak_base(base);
        logged_count::additions = 0;
        weak_base = std::move(weak_derived);
        EXPECT_EQ(logged_count::additions, 0);
        EXPECT_TRUE(weak_derived.expired());
        EXPECT_EQ(weak_base.lock(), another);
    }
}

TYPED_TEST_P(assignment, of_two_null_handles_changes_nothing) {
    animal_handle<TypeParam> first;
    const animal_handle<TypeParam> second;
    first = second;
    EXPECT_EQ(first, nullptr);
    EXPECT_EQ(first.use_count(), 0);
}

TYPED_TEST_P(assignment, takes_its_value_from_the_object_that_it_releases) {
    auto owner = TypeParam::template make<node<TypeParam>>();
    owner->left = TypeParam::template make<node<TypeParam>>();
    owner->left->left = TypeParam::template make<node<TypeParam>>();
    const auto* const inner = owner->left.get();
    owner = owner->left;
    EXPECT_EQ(owner.get(), inner);
    EXPECT_TRUE(owner.unique());
    EXPECT_EQ(census::alive, 2);
    owner = std::move(owner->left);
    EXPECT_EQ(census::alive, 1);
    owner->left = owner;
    owner = owner->left;
    EXPECT_EQ(owner.use_count(), 2);
    owner->left.reset();
    EXPECT_TRUE(owner.unique());
}

TYPED_TEST_P(assignment, of_one_owner_takes_the_pointer) {
    using handle = typename TypeParam::template handle<int>;
    const auto owner = TypeParam::template make<animal<TypeParam>>(5);
    if constexpr (requires(int* part) { handle(owner, part); }) {
        int other = 6;
        const handle second(owner, &other);
        handle first(owner, &owner->value);
        logged_count::additions = 0;
        first = second;
        EXPECT_EQ(logged_count::additions, 0);
        EXPECT_EQ(first.get(), &other);
        EXPECT_EQ(owner.use_count(), 3);
        typename TypeParam::template weak_handle<int> weak(second);
        weak = handle(owner, &owner->value);
        EXPECT_EQ(weak.lock().get(), &owner->value);
    }
}

TYPED_TEST_P(assignment, of_weak_handles_of_one_owner_counts_nothing) {
    if constexpr (requires { typename TypeParam::template weak_handle<animal<TypeParam>>; }) {
        using weak = typename TypeParam::template weak_handle<animal<TypeParam>>;
        const auto derived = TypeParam::template make<cat<TypeParam>>(7);
        const animal_handle<TypeParam> base(derived);
        const typename TypeParam::template weak_handle<cat<TypeParam>> weak_derived(derived);
        weak first(base);
        const weak second(first);
        logged_count::additions = 0;
        first = second;
        first = base;
        first = derived;
        first = weak_derived;
        EXPECT_EQ(logged_count::additions, 0);
        EXPECT_EQ(first.lock(), base);
        EXPECT_EQ(base.use_count(), 2);
        const auto another = TypeParam::template make<cat<TypeParam>>(8);
        first = another;
        EXPECT_EQ(first.lock(), another);
        first = weak_derived;
        EXPECT_EQ(first.lock(), base);
        EXPECT_TRUE(another.unique());
        first = {};
        EXPECT_TRUE(first.expired());
    }
}

REGISTER_TYPED_TEST_SUITE_P(assignment, of_one_owner_counts_nothing,
                            of_another_type_and_one_owner_counts_nothing,
                            by_a_move_from_another_type_counts_nothing,
                            of_two_null_handles_changes_nothing,
                            takes_its_value_from_the_object_that_it_releases,
                            of_one_owner_takes_the_pointer,
                            of_weak_handles_of_one_owner_counts_nothing);

}  // namespace freehold::contracts
