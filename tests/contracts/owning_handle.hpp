// SPDX-License-Identifier: BSL-1.0
// What every owning handle promises about itself, whatever it counts with: owning, sharing, moving,
// converting, comparing. Instantiated for each strategy (see observed_objects.hpp) by a file of a
// few lines in tests/handle/.
#pragma once

#include "contracts/observed_objects.hpp"

#include <compare>
#include <concepts>
#include <cstddef>
#include <functional>
#include <initializer_list>
#include <memory>
#include <set>
#include <sstream>
#include <type_traits>
#include <unordered_set>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace freehold::contracts {

template <class Strategy>
class owning_handle : public testing::Test {
protected:
    void SetUp() override { census::start(); }
    void TearDown() override { EXPECT_EQ(census::alive, 0) << "an object outlived its owners"; }
};

TYPED_TEST_SUITE_P(owning_handle);

TYPED_TEST_P(owning_handle, null_owns_nothing) {
    using handle = animal_handle<TypeParam>;
    animal<TypeParam>* const no_animal = nullptr;
    static constinit const handle constant;
    const handle by_default, by_nullptr(nullptr), by_pointer(no_animal), copy(by_default);
    for (const handle* null : std::initializer_list<const handle*>{
             &constant, &by_default, &by_nullptr, &by_pointer, &copy}) {
        EXPECT_EQ(null->get(), nullptr);
        EXPECT_FALSE(*null);
        const bool owned = owns_null<TypeParam> && null == &by_pointer;
        EXPECT_EQ(null->use_count(), owned ? 1 : 0);
        EXPECT_EQ(null->unique(), owned);
        EXPECT_TRUE(*null == nullptr);
        EXPECT_TRUE(*null == by_default);
    }
}

TYPED_TEST_P(owning_handle, reaches_its_pointee) {
    auto* const raw = new animal<TypeParam>(7);
    const animal_handle<TypeParam> owner(raw);
    EXPECT_EQ(owner.get(), raw);
    EXPECT_EQ(&*owner, raw);
    EXPECT_EQ(owner->value, 7);
    EXPECT_TRUE(owner);
    owner->value = 8;
    EXPECT_EQ((*owner).value, 8);
}

TYPED_TEST_P(owning_handle, copies_share_and_the_last_one_destroys) {
    using handle = animal_handle<TypeParam>;
    {
        handle first(new animal<TypeParam>);
        EXPECT_EQ(first.use_count(), 1);
        EXPECT_TRUE(first.unique());
        const handle second(first);
        {
            handle third;
            third = second;
            EXPECT_EQ(first.use_count(), 3);
            EXPECT_EQ(third.get(), first.get());
        }
        EXPECT_EQ(second.use_count(), 2);
        EXPECT_FALSE(second.unique());
        first.reset();
        EXPECT_TRUE(second.unique());
        EXPECT_EQ(census::alive, 1);
    }
    EXPECT_EQ(census::animals_destroyed, 1);
}

TYPED_TEST_P(owning_handle, moves_leave_null_behind) {
    using handle = animal_handle<TypeParam>;
    handle source(new animal<TypeParam>);
    auto* const raw = source.get();
    handle constructed(std::move(source));
    EXPECT_EQ(source, nullptr);
    EXPECT_EQ(source.use_count(), 0);
    EXPECT_TRUE(constructed.unique());
    handle witness(constructed);
    handle assigned(new animal<TypeParam>);
    assigned = std::move(constructed);
    EXPECT_EQ(census::animals_destroyed, 1);
    EXPECT_EQ(constructed, nullptr);
    EXPECT_EQ(assigned.get(), raw);
    EXPECT_EQ(assigned.use_count(), 2);
    assigned = std::move(witness);
    EXPECT_TRUE(assigned.unique());
    source = std::move(assigned);
    EXPECT_EQ(source.get(), raw);
    assigned = handle();
    source = handle();
    EXPECT_EQ(census::alive, 0);
}

TYPED_TEST_P(owning_handle, assignment_to_itself_changes_nothing) {
    using handle = animal_handle<TypeParam>;
    handle owner(new animal<TypeParam>), null;
    handle& same = owner;
    handle& same_null = null;
    owner = same;
    EXPECT_TRUE(owner.unique());
    owner = std::move(same);
    ASSERT_NE(owner, nullptr);
    EXPECT_TRUE(owner.unique());
    null = same_null;
    null = std::move(same_null);
    EXPECT_EQ(null, nullptr);
    handle copy(owner);
    copy = owner;
    owner = copy;
    EXPECT_EQ(owner.use_count(), 2);
}

TYPED_TEST_P(owning_handle, assignment_lets_go_of_the_old_pointee) {
    using handle = animal_handle<TypeParam>;
    handle first(new animal<TypeParam>(1));
    const handle second(new animal<TypeParam>(2));
    first = second;
    EXPECT_EQ(census::animals_destroyed, 1);
    EXPECT_EQ(first->value, 2);
    first = nullptr;
    EXPECT_EQ(first, nullptr);
    EXPECT_TRUE(second.unique());
    first = handle(new animal<TypeParam>(3));
    EXPECT_EQ(first->value, 3);
    const handle null;
    first = null;
    EXPECT_EQ(census::animals_destroyed, 2);
}

TYPED_TEST_P(owning_handle, converts_from_derived) {
    using base_handle = animal_handle<TypeParam>;
    using derived_handle = dog_handle<TypeParam>;
    {
        derived_handle derived(new dog<TypeParam>(5));
        animal<TypeParam>* const raw = derived.get();
        base_handle copied(derived);
        base_handle assigned;
        assigned = derived;
        EXPECT_EQ(copied.get(), raw);
        EXPECT_EQ(assigned->value, 5);
        EXPECT_EQ(derived.use_count(), 3);
        EXPECT_TRUE(copied == derived);
        base_handle moved(std::move(derived));
        EXPECT_EQ(derived, nullptr);
        EXPECT_EQ(moved.get(), raw);
        EXPECT_EQ(moved.use_count(), 3);
        derived = derived_handle(new dog<TypeParam>(6));
        moved = std::move(derived);
        EXPECT_EQ(derived, nullptr);
        EXPECT_EQ(moved->value, 6);
        EXPECT_EQ(copied.use_count(), 2);
        const derived_handle no_dog;
        moved = no_dog;
        EXPECT_EQ(moved, nullptr);
    }
    EXPECT_EQ(census::dogs_destroyed, 2);
    EXPECT_EQ(census::animals_destroyed, 2);
}

TYPED_TEST_P(owning_handle, destroys_what_was_acquired) {
    { const animal_handle<TypeParam> base(new dog<TypeParam>); }
    EXPECT_EQ(census::dogs_destroyed, 1);
    EXPECT_EQ(census::animals_destroyed, 1);
}

TYPED_TEST_P(owning_handle, holds_const_objects) {
    using const_handle = typename TypeParam::template handle<const animal<TypeParam>>;
    const animal_handle<TypeParam> owner(new animal<TypeParam>(3));
    const_handle view(owner);
    EXPECT_EQ(view->value, 3);
    EXPECT_TRUE(view == owner);
    view = const_handle(new animal<TypeParam>(4));
    EXPECT_TRUE(owner.unique());
    const const_handle made(new const animal<TypeParam>(5));
    EXPECT_EQ(made->value, 5);
}

template <class A, class B>
concept comparable = requires(const A& a, const B& b) {
                         a == b;
                         a < b;
                     };

TYPED_TEST_P(owning_handle, converts_in_one_direction_only) {
    using base_handle = animal_handle<TypeParam>;
    using derived_handle = dog_handle<TypeParam>;
    using const_handle = typename TypeParam::template handle<const animal<TypeParam>>;
    using other_handle = node_handle<TypeParam>;
    EXPECT_TRUE((std::convertible_to<derived_handle, base_handle>));
    EXPECT_TRUE((std::convertible_to<base_handle, const_handle>));
    EXPECT_TRUE((std::convertible_to<std::nullptr_t, base_handle>));
    EXPECT_FALSE((std::constructible_from<derived_handle, base_handle>));
    EXPECT_FALSE((std::assignable_from<derived_handle&, base_handle>));
    EXPECT_FALSE((std::constructible_from<base_handle, const_handle>));
    EXPECT_FALSE((std::constructible_from<base_handle, other_handle>));
    EXPECT_TRUE((comparable<base_handle, derived_handle>));
    EXPECT_FALSE((comparable<base_handle, other_handle>));
    EXPECT_FALSE((comparable<base_handle, bool>));
    EXPECT_FALSE((std::convertible_to<base_handle, bool>));
}

TYPED_TEST_P(owning_handle, never_throws_after_acquiring) {
    using base_handle = animal_handle<TypeParam>;
    using derived_handle = dog_handle<TypeParam>;
    EXPECT_TRUE(std::is_nothrow_default_constructible_v<base_handle>);
    EXPECT_TRUE(std::is_nothrow_copy_constructible_v<base_handle>);
    EXPECT_TRUE(std::is_nothrow_move_constructible_v<base_handle>);
    EXPECT_TRUE(std::is_nothrow_copy_assignable_v<base_handle>);
    EXPECT_TRUE(std::is_nothrow_move_assignable_v<base_handle>);
    EXPECT_TRUE((std::is_nothrow_constructible_v<base_handle, const derived_handle&>));
    EXPECT_TRUE((std::is_nothrow_constructible_v<base_handle, derived_handle>));
    EXPECT_TRUE((std::is_nothrow_constructible_v<base_handle, std::nullptr_t>));
    EXPECT_TRUE(std::is_nothrow_swappable_v<base_handle>);
    EXPECT_TRUE(std::is_nothrow_destructible_v<base_handle>);
}

TYPED_TEST_P(owning_handle, compares_and_hashes_as_its_pointer) {
    using handle = animal_handle<TypeParam>;
    const handle first(new animal<TypeParam>), copy(first), null;
    const handle second(new animal<TypeParam>);
    EXPECT_TRUE(first == copy);
    EXPECT_TRUE(first != second);
    EXPECT_EQ(first <=> second, std::compare_three_way()(first.get(), second.get()));
    EXPECT_EQ(first < second, std::less<>()(first.get(), second.get()));
    EXPECT_EQ(first <=> copy, std::strong_ordering::equal);
    EXPECT_TRUE(first != nullptr && nullptr != first);
    EXPECT_TRUE(null == nullptr && nullptr == null);
    EXPECT_TRUE(first > nullptr && nullptr < first && null <= nullptr && null < first);
    EXPECT_EQ(std::hash<handle>()(first), std::hash<animal<TypeParam>*>()(first.get()));
    EXPECT_EQ((std::unordered_set<handle>{first, second, copy, null}.size()), 3U);
    EXPECT_EQ((std::set<handle>{first, second, copy, null}.size()), 3U);
    std::ostringstream by_handle, by_pointer;
    by_handle << first;
    by_pointer << first.get();
    EXPECT_EQ(by_handle.str(), by_pointer.str());
}

TYPED_TEST_P(owning_handle, swaps) {
    using handle = animal_handle<TypeParam>;
    handle first(new animal<TypeParam>(1)), second(new animal<TypeParam>(2));
    const handle witness(first);
    handle null;
    first.swap(second);
    EXPECT_EQ(first->value, 2);
    EXPECT_EQ(second->value, 1);
    EXPECT_TRUE(first.unique());
    EXPECT_EQ(second.use_count(), 2);
    swap(first, null);
    EXPECT_EQ(first, nullptr);
    EXPECT_TRUE(null.unique());
    handle copy(second);
    copy.swap(second);
    EXPECT_EQ(witness.use_count(), 3);
    copy.swap(copy);
    EXPECT_EQ(witness.use_count(), 3);
    EXPECT_EQ(census::animals_destroyed, 0);
}

TYPED_TEST_P(owning_handle, resets) {
    animal_handle<TypeParam> owner(new animal<TypeParam>(1));
    const auto copy = owner;
    owner.reset();
    EXPECT_EQ(owner, nullptr);
    EXPECT_TRUE(copy.unique());
    owner.reset();
    owner.reset(new dog<TypeParam>(2));
    EXPECT_EQ(owner->value, 2);
    owner.reset(new animal<TypeParam>(3));
    EXPECT_EQ(census::dogs_destroyed, 1);
    owner.reset(static_cast<animal<TypeParam>*>(nullptr));
    EXPECT_EQ(census::alive, 1);
}

TYPED_TEST_P(owning_handle, calls_a_custom_deleter_once) {
    if constexpr (TypeParam::has_deleter) {
        using pointee = animal<TypeParam>;
        struct remembering_deleter {
            std::vector<pointee*>* deleted;
            void operator()(pointee* doomed) const {
                deleted->push_back(doomed);
                delete doomed;
            }
        };
        std::vector<pointee*> deleted, expected;
        using handle =
            typename TypeParam::template handle_with_deleter<pointee, remembering_deleter>;
        auto* const raw = new pointee;
        {
            handle first(raw, remembering_deleter{&deleted});
            handle second(first);
            first = handle(static_cast<pointee*>(nullptr), remembering_deleter{&deleted});
            EXPECT_EQ(first, nullptr);
            EXPECT_TRUE(deleted.empty());
            first.swap(second);
            second = first;
            if (owns_null<TypeParam>) expected.push_back(nullptr);
            EXPECT_EQ(deleted, expected);
        }
        expected.push_back(raw);
        EXPECT_EQ(deleted, expected);
        deleted.clear();
        handle third(new pointee, remembering_deleter{&deleted});
        third.reset(new pointee, remembering_deleter{&deleted});
        third = handle(new pointee, remembering_deleter{&deleted});
        third.reset(static_cast<pointee*>(nullptr), remembering_deleter{&deleted});
        EXPECT_EQ(deleted.size(), 3U);
    } else {
        // A pointee that deletes itself takes no orders from its handle.
        using handle = animal_handle<TypeParam>;
        using deleter = std::default_delete<animal<TypeParam>>;
        EXPECT_FALSE((std::constructible_from<handle, animal<TypeParam>*, deleter>));
    }
}

TYPED_TEST_P(owning_handle, makes_nothing_when_the_constructor_throws) {
    EXPECT_THROW(static_cast<void>(TypeParam::template make<refuses_to_exist<TypeParam>>(1)),
                 refusal);
    const auto made = TypeParam::template make<animal<TypeParam>>(9);
    EXPECT_EQ(made->value, 9);
    EXPECT_TRUE(made.unique());
}

REGISTER_TYPED_TEST_SUITE_P(owning_handle, null_owns_nothing, reaches_its_pointee,
                            copies_share_and_the_last_one_destroys, moves_leave_null_behind,
                            assignment_to_itself_changes_nothing,
                            assignment_lets_go_of_the_old_pointee, converts_from_derived,
                            destroys_what_was_acquired, holds_const_objects,
                            converts_in_one_direction_only, never_throws_after_acquiring,
                            compares_and_hashes_as_its_pointer, swaps, resets,
                            calls_a_custom_deleter_once, makes_nothing_when_the_constructor_throws);

}  // namespace freehold::contracts
