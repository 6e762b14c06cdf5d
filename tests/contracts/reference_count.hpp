// SPDX-License-Identifier: BSL-1.0
// What every count promises to the handles, on one thread; tests/stress/ has the rest.
#pragma once

#include <freehold/count/reference_count.hpp>

#include <cstdint>
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

TYPED_TEST_P(reference_count_contract, counts_beyond_32_bits) {
    constexpr std::int64_t many = (std::int64_t{1} << 32) - 1;
    TypeParam count(many);
    count.increment();
    EXPECT_EQ(count.value(), many + 1);
    EXPECT_FALSE(count.decrement());
    EXPECT_EQ(count.value(), many);
}

REGISTER_TYPED_TEST_SUITE_P(reference_count_contract, starts_at_its_initial_value,
                            names_the_last_owner_and_no_other, names_a_lone_owner,
                            counts_beyond_32_bits);

}  // namespace freehold::contracts
