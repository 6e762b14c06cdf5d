// SPDX-License-Identifier: BSL-1.0
// What every count of owners and weak references promises to the handles, on one thread; the tests
// labelled `threads` have the rest.
#pragma once

#include <freehold/count/detail/weak_word.hpp>
#include <freehold/count/reference_count.hpp>

#include "death_tests.hpp"

#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include <gtest/gtest.h>

namespace freehold::contracts {

template <class Count>
class weak_reference_count_contract : public testing::Test {
    static_assert(weak_reference_count<Count>);
    static_assert(!std::is_copy_constructible_v<Count> && !std::is_copy_assignable_v<Count>,
                  "a copied count would count nobody");

protected:
    struct pointee {};

    // A count that has come near its limit: nobody waits for 2^34 owners.
    struct advanced : Count {
        explicit advanced(std::int64_t word) noexcept : Count(std::in_place_type<pointee>) {
            static_assert(std::is_standard_layout_v<Count>, "the word must come first");
            std::memcpy(static_cast<void*>(static_cast<Count*>(this)), &word, sizeof word);
        }
    };

    Count count{std::in_place_type<pointee>};
};

TYPED_TEST_SUITE_P(weak_reference_count_contract);

TYPED_TEST_P(weak_reference_count_contract, starts_with_one_owner_who_leaves_nothing) {
    EXPECT_EQ(this->count.value(), 1);
    EXPECT_EQ(this->count.decrement(), remaining::nothing);
}

TYPED_TEST_P(weak_reference_count_contract, names_the_last_owner_and_no_other) {
    for (int owners = 2; owners <= 100; ++owners) {
        this->count.increment();
        ASSERT_EQ(this->count.value(), owners);
    }
    for (int left = 99; left > 0; --left) {
        ASSERT_EQ(this->count.decrement(), remaining::owners);
        ASSERT_EQ(this->count.value(), left);
    }
    EXPECT_EQ(this->count.decrement(), remaining::nothing);
}

TYPED_TEST_P(weak_reference_count_contract, weak_references_are_not_owners) {
    this->count.increment_weak();
    this->count.increment_weak();
    EXPECT_EQ(this->count.value(), 1);
    EXPECT_FALSE(this->count.decrement_weak());
    EXPECT_FALSE(this->count.decrement_weak());
    EXPECT_EQ(this->count.decrement(), remaining::nothing);
}

TYPED_TEST_P(weak_reference_count_contract, weak_references_outlive_the_owners) {
    this->count.increment();
    this->count.increment_weak();
    EXPECT_EQ(this->count.decrement(), remaining::owners);
    ASSERT_EQ(this->count.decrement(), remaining::weak_references);
    EXPECT_EQ(this->count.value(), 0);
    EXPECT_FALSE(this->count.decrement_weak()) << "the one that the owners held together";
    EXPECT_TRUE(this->count.decrement_weak());
}

TYPED_TEST_P(weak_reference_count_contract, the_owners_weak_reference_may_be_the_last) {
    this->count.increment_weak();
    ASSERT_EQ(this->count.decrement(), remaining::weak_references);
    EXPECT_FALSE(this->count.decrement_weak());
    EXPECT_TRUE(this->count.decrement_weak());
}

TYPED_TEST_P(weak_reference_count_contract, locks_as_long_as_there_are_owners) {
    this->count.increment_weak();
    ASSERT_TRUE(this->count.try_increment());
    EXPECT_EQ(this->count.value(), 2);
    EXPECT_EQ(this->count.decrement(), remaining::owners);
    ASSERT_EQ(this->count.decrement(), remaining::weak_references);
    EXPECT_FALSE(this->count.try_increment());
    EXPECT_EQ(this->count.value(), 0);
}

TYPED_TEST_P(weak_reference_count_contract, counts_millions_of_either) {
    constexpr int many = 1 << 20;
    for (int i = 0; i < many; ++i) {
        this->count.increment();
        this->count.increment_weak();
    }
    EXPECT_EQ(this->count.value(), many + 1);
    for (int i = 0; i < many; ++i) {
        ASSERT_EQ(this->count.decrement(), remaining::owners);
        ASSERT_FALSE(this->count.decrement_weak());
    }
    EXPECT_EQ(this->count.decrement(), remaining::nothing);
}

TYPED_TEST_P(weak_reference_count_contract, terminates_before_owners_wrap) {
    using namespace detail::weak_word;
    constexpr std::int64_t most = (std::int64_t{1} << 34) - 1;
    tests::run_death_tests_in_new_processes();
    const auto count_one_too_many = [](bool lock) {
        typename TestFixture::advanced full((most - 2) * owner + weak);
        full.increment_weak();
        full.increment();
        if (full.value() != most - 1 || !full.try_increment()) return;
        if (lock) {
            static_cast<void>(full.try_increment());
        } else {
            full.increment();
        }
    };
    EXPECT_DEATH(count_one_too_many(false), "freehold: a count of owners has overflowed");
    EXPECT_DEATH(count_one_too_many(true), "freehold: a count of owners has overflowed");
}

TYPED_TEST_P(weak_reference_count_contract, terminates_before_weak_references_wrap) {
    using namespace detail::weak_word;
    tests::run_death_tests_in_new_processes();
    const auto count_one_too_many = [] {
        typename TestFixture::advanced full(owner + most_weak - 2);
        full.increment_weak();
        if (full.value() != 1) return;
        for (int i = 0; i < 3; ++i) full.increment_weak();
    };
    EXPECT_DEATH(count_one_too_many(), "freehold: a count of owners has overflowed");
}

TYPED_TEST_P(weak_reference_count_contract, counts_the_owners_of_one_holder_together) {
    for (const std::int64_t held : {1, 2, 7}) {
        TypeParam all(std::in_place_type<typename TestFixture::pointee>);
        for (std::int64_t i = 1; i < held; ++i) all.increment();
        all.increment_held(held);
        EXPECT_EQ(all.value(), 2 * held);
        EXPECT_EQ(all.decrement_held(held), remaining::owners);
        EXPECT_EQ(all.value(), held);
        EXPECT_FALSE(all.is_at_rest());
        EXPECT_EQ(all.decrement_held(held), remaining::nothing);
        EXPECT_TRUE(all.is_at_rest());
    }
}

TYPED_TEST_P(weak_reference_count_contract, counts_a_weak_reference_for_the_only_owner) {
    this->count.increment_weak_held();
    EXPECT_EQ(this->count.value(), 1);
    ASSERT_TRUE(this->count.try_increment());
    this->count.increment_weak_held();
    EXPECT_EQ(this->count.decrement(), remaining::owners);
    ASSERT_EQ(this->count.decrement(), remaining::weak_references);
    EXPECT_FALSE(this->count.decrement_weak());
    EXPECT_FALSE(this->count.decrement_weak());
    EXPECT_TRUE(this->count.decrement_weak());
    EXPECT_TRUE(this->count.is_at_rest());
}

TYPED_TEST_P(weak_reference_count_contract, counts_owners_together_beside_others) {
    this->count.increment_weak();
    this->count.increment();
    this->count.increment_held(1);
    this->count.increment_held(2);
    EXPECT_EQ(this->count.value(), 5);
    EXPECT_EQ(this->count.decrement_held(3), remaining::owners);
    EXPECT_EQ(this->count.value(), 2);
    ASSERT_EQ(this->count.decrement_held(2), remaining::weak_references);
    EXPECT_FALSE(this->count.decrement_weak());
    EXPECT_FALSE(this->count.is_at_rest());
    EXPECT_TRUE(this->count.decrement_weak());
    EXPECT_TRUE(this->count.is_at_rest());
}

// The ways in which the last handle lets go.
template <class Count>
void end_alone(Count& count) {
    static_cast<void>(count.decrement());
}
template <class Count>
void end_after_others(Count& count) {
    count.increment();
    for (int i = 0; i < 2; ++i) static_cast<void>(count.decrement());
}
template <class Count>
void end_together(Count& count) {
    count.increment();
    static_cast<void>(count.decrement_held(2));
}
template <class Count>
void end_after_weak_references(Count& count) {
    count.increment_weak();
    static_cast<void>(count.decrement_weak());
    static_cast<void>(count.decrement());
}
template <class Count>
void end_before_weak_references(Count& count) {
    count.increment_weak();
    static_cast<void>(count.decrement());
    for (int i = 0; i < 2; ++i) static_cast<void>(count.decrement_weak());
}

TYPED_TEST_P(weak_reference_count_contract, finds_each_use_of_a_count_at_rest) {
    tests::run_death_tests_in_new_processes();
    int way = 0;
    for (auto* const end :
         {&end_alone<TypeParam>, &end_after_others<TypeParam>, &end_together<TypeParam>,
          &end_after_weak_references<TypeParam>, &end_before_weak_references<TypeParam>}) {
        SCOPED_TRACE(way++);
        const auto after_the_end = [end](auto use) {
            TypeParam counts(std::in_place_type<typename TestFixture::pointee>);
            end(counts);
            if (counts.is_at_rest()) use(counts);
        };
        constexpr const char* found = "freehold: a handle was released or copied";
        EXPECT_DEATH(after_the_end([](auto& c) { static_cast<void>(c.decrement()); }), found);
        EXPECT_DEATH(after_the_end([](auto& c) { static_cast<void>(c.decrement_held(1)); }), found);
        EXPECT_DEATH(after_the_end([](auto& c) { static_cast<void>(c.decrement_held(2)); }), found);
        EXPECT_DEATH(after_the_end([](auto& c) { static_cast<void>(c.decrement_weak()); }), found);
        EXPECT_DEATH(after_the_end([](auto& c) { c.increment(); }), found);
        EXPECT_DEATH(after_the_end([](auto& c) { c.increment_held(1); }), found);
        EXPECT_DEATH(after_the_end([](auto& c) { c.increment_held(16); }), found);
        EXPECT_DEATH(after_the_end([](auto& c) { c.increment_weak(); }), found);
        EXPECT_DEATH(after_the_end([](auto& c) { c.increment_weak_held(); }), found);
    }
}

TYPED_TEST_P(weak_reference_count_contract, finds_an_owner_too_many_beside_weak_references) {
    tests::run_death_tests_in_new_processes();
    const auto release_once_too_often = [](std::int64_t held) {
        TypeParam counts(std::in_place_type<typename TestFixture::pointee>);
        counts.increment_weak();
        if (counts.decrement() == remaining::weak_references)
            static_cast<void>(counts.decrement_held(held));
    };
    constexpr const char* found = "freehold: a handle was released or copied";
    EXPECT_DEATH(release_once_too_often(1), found);
    EXPECT_DEATH(release_once_too_often(2), found);
}

TYPED_TEST_P(weak_reference_count_contract, finds_a_weak_reference_too_many_in_the_end) {
    tests::run_death_tests_in_new_processes();
    const auto release_once_too_often = [] {
        TypeParam counts(std::in_place_type<typename TestFixture::pointee>);
        counts.increment_weak();
        for (int i = 0; i < 2; ++i) static_cast<void>(counts.decrement_weak());
        if (counts.decrement() == remaining::weak_references)
            static_cast<void>(counts.decrement_weak());
    };
    EXPECT_DEATH(release_once_too_often(), "freehold: a handle was released or copied");
}

REGISTER_TYPED_TEST_SUITE_P(weak_reference_count_contract, starts_with_one_owner_who_leaves_nothing,
                            names_the_last_owner_and_no_other, weak_references_are_not_owners,
                            weak_references_outlive_the_owners,
                            the_owners_weak_reference_may_be_the_last,
                            locks_as_long_as_there_are_owners, counts_millions_of_either,
                            terminates_before_owners_wrap, terminates_before_weak_references_wrap,
                            counts_the_owners_of_one_holder_together,
                            counts_a_weak_reference_for_the_only_owner,
                            counts_owners_together_beside_others, finds_each_use_of_a_count_at_rest,
                            finds_an_owner_too_many_beside_weak_references,
                            finds_a_weak_reference_too_many_in_the_end);

}  // namespace freehold::contracts
