// SPDX-License-Identifier: BSL-1.0
// What every count promises to the handles, on one thread; the tests labelled `threads` have the
// rest.
#pragma once

#include <freehold/count/detail/weak_word.hpp>
#include <freehold/count/reference_count.hpp>

#include "death_tests.hpp"

#include <cstdint>
#include <limits>
#include <type_traits>

#include <gtest/gtest.h>

namespace freehold::contracts {

template <class Count>
class reference_count_contract : public testing::Test {
    static_assert(reference_count<Count>);
    static_assert(!std::is_copy_constructible_v<Count> && !std::is_copy_assignable_v<Count>,
                  "a copied count would count nobody");
};

TYPED_TEST_SUITE_P(reference_count_contract);

TYPED_TEST_P(reference_count_contract, starts_at_its_initial_value) {
    for (const std::int64_t initial : {0, 1, 5}) EXPECT_EQ(TypeParam(initial).value(), initial);
}

TYPED_TEST_P(reference_count_contract, names_the_last_owner_and_no_other) {
    TypeParam count(0);
    for (int owners = 1; owners <= 100; ++owners) {
        count.increment();
        ASSERT_EQ(count.value(), owners);
    }
    for (int left = 99; left > 0; --left) {
        ASSERT_FALSE(count.decrement());
        ASSERT_EQ(count.value(), left);
    }
    EXPECT_TRUE(count.decrement());
}

TYPED_TEST_P(reference_count_contract, names_a_lone_owner) {
    TypeParam count(1);
    EXPECT_TRUE(count.decrement());
}

TYPED_TEST_P(reference_count_contract, counts_millions) {
    constexpr std::int64_t many = std::int64_t{1} << 30;
    TypeParam count(many);
    for (int i = 1; i <= 1'000'000; ++i) {
        count.increment();
        ASSERT_EQ(count.value(), many + i);
    }
    ASSERT_FALSE(count.decrement());
    EXPECT_EQ(count.value(), many + 999'999);
}

// 2^31 owners would fill 16 GiB of handles; a count may well go further, but not wrap.
TYPED_TEST_P(reference_count_contract, does_not_wrap) {
    tests::run_death_tests_in_new_processes();
    static constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
    const auto count_some_too_many = [] {
        TypeParam count(most);
        for (int i = 1; i <= 3; ++i) count.increment();
        // Says what the death of the others says.
        if (count.value() == most + 3) detail::weak_word::overflow();
    };
    EXPECT_DEATH(count_some_too_many(), "freehold: a count of owners has overflowed");
}

REGISTER_TYPED_TEST_SUITE_P(reference_count_contract, starts_at_its_initial_value,
                            names_the_last_owner_and_no_other, names_a_lone_owner, counts_millions,
                            does_not_wrap);

}  // namespace freehold::contracts
