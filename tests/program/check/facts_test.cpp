// SPDX-License-Identifier: BSL-1.0
#include "check/plugin/zeroing/values/facts.hpp"

#include <limits>

#include <gtest/gtest.h>

namespace freehold::check::facts_test {
namespace {

constexpr atom size = 0;
constexpr atom got = 1;
constexpr atom index = 2;

atom fresh_atom() {
    static atom next = 100;
    return next++;
}

polynomial value(atom which) {
    return polynomial::of(which);
}

facts zeroed(const polynomial& bytes) {
    facts result;
    result.live = true;
    result.zeroed = {0, bytes};
    return result;
}

TEST(polynomial, products_are_equal_in_any_order) {
    EXPECT_EQ(polynomial(4) * value(size) * value(got), value(got) * (value(size) * 4));
    EXPECT_EQ((value(size) + 1) * (value(size) - 1), value(size) * value(size) - 1);
    EXPECT_EQ((value(size) - value(size)).constant(), 0);
}

TEST(polynomial, an_atom_is_replaced_in_every_power) {
    const polynomial square = value(size) * value(size);
    EXPECT_EQ(square.replaced(size, value(got) + 1), value(got) * value(got) + value(got) * 2 + 1);
}

TEST(polynomial, a_factor_of_a_comparison_is_taken_out) {
    EXPECT_EQ((value(size) * 32 - value(got) * 32 + 5).reduced(), value(size) - value(got));
    EXPECT_EQ((value(size) * 4 - 3).reduced(), value(size) - 1);
    EXPECT_EQ((value(size) * 4 - value(got) * 3 + 2).reduced(),
              value(size) * 4 - value(got) * 3 + 2);
}

TEST(polynomial, an_overflow_proves_nothing) {
    constexpr std::int64_t large = std::int64_t{1} << 62;
    const polynomial sum = value(size) * large + value(size) * large;
    EXPECT_FALSE(sum.is_known());
    EXPECT_FALSE((polynomial(large) * value(got) * polynomial(4)).is_known());
    EXPECT_FALSE(sum == sum);
    EXPECT_FALSE(sum.constant());
    EXPECT_FALSE((sum - sum).constant());
    EXPECT_FALSE(polynomial(std::numeric_limits<std::int64_t>::min()).is_known());
    facts now = zeroed(value(size));
    EXPECT_FALSE(now.at_least_zero(sum));
    now.cover({0, sum});
    EXPECT_FALSE(now.is_all_covered());
    EXPECT_TRUE(now.assume(sum, relation::equal));
    now.assign(got, sum, fresh_atom);
    EXPECT_FALSE(now.at_least_zero(value(got)));
}

TEST(facts, large_bounds_prove_nothing_about_less) {
    const std::vector<polynomial> axioms = {value(size), value(got)};
    for (const std::int64_t bound :
         {std::int64_t{0xffffff}, std::int64_t{0x7fffffff}, std::int64_t{0xffffffff},
          std::numeric_limits<std::int64_t>::max() / 8, std::numeric_limits<std::int64_t>::max()}) {
        facts now = zeroed(value(size) * 4);
        now.axioms = &axioms;
        ASSERT_TRUE(now.assume(polynomial(bound) - value(size), relation::at_least));
        ASSERT_TRUE(now.assume(value(size) - value(got), relation::at_least));
        now.cover({0, value(got) * 4});
        EXPECT_FALSE(now.is_all_covered()) << bound;
    }
}

TEST(facts, nothing_is_proved_when_the_work_has_used_its_limit) {
    std::int64_t work = 1000;
    facts now = zeroed(value(size));
    now.work_left = &work;
    ASSERT_TRUE(now.assume(value(size) - value(got), relation::at_least));
    EXPECT_TRUE(now.at_least_zero(value(size) - value(got)));
    EXPECT_LT(work, 1000);
    work = -1;
    EXPECT_FALSE(now.at_least_zero(value(size) - value(got)));
}

TEST(facts, what_lies_beyond_the_zeroed_bytes_needs_no_zeroes) {
    facts now = zeroed(256);
    now.cover({0, 256});
    EXPECT_TRUE(now.is_covered({value(index), value(index) + 4}));
    facts partly = zeroed(256);
    partly.cover({0, 255});
    EXPECT_FALSE(partly.is_covered({value(index), value(index) + 4}));
}

TEST(facts, two_adjacent_pieces_cover_the_whole) {
    facts now = zeroed(value(size));
    now.cover({0, value(got)});
    EXPECT_FALSE(now.is_all_covered());
    now.cover({value(got), value(size)});
    EXPECT_TRUE(now.is_all_covered());
}

TEST(facts, a_short_read_covers_the_whole_only_where_it_was_compared) {
    facts now = zeroed(value(size));
    now.cover({0, value(got)});
    facts whole = now;
    ASSERT_TRUE(whole.assume(value(got) - value(size), relation::equal));
    EXPECT_TRUE(whole.is_all_covered());
    facts other = now;
    ASSERT_TRUE(other.assume(value(got) - value(size), relation::unequal));
    EXPECT_FALSE(other.is_all_covered());
    EXPECT_TRUE(other.is_covered({0, value(got)}));
}

TEST(facts, what_a_loop_writes_is_a_function_of_its_variable) {
    facts entry = zeroed(value(size) * 4);
    entry.assign(index, 0, fresh_atom);
    facts pass = entry;
    pass.cover({value(index) * 4, value(index) * 4 + 4});
    pass.assign(index, value(index) + 1, fresh_atom);
    pass.generalise(entry, {index}, {});
    pass.forget_values({index}, &entry);
    ASSERT_TRUE(pass.assume(value(index) - value(size), relation::at_least));
    EXPECT_TRUE(pass.is_all_covered());
}

TEST(facts, columns_that_touch_are_the_whole_table) {
    const std::vector<polynomial> axioms = {value(size), value(got), value(index)};
    facts now = zeroed(value(size) * value(got) * 4);
    now.axioms = &axioms;
    now.cover({0, value(index) * 4, value(got) * 4, value(size)});
    EXPECT_FALSE(now.is_all_covered());
    ASSERT_TRUE(now.assume(value(index) - value(got), relation::at_least));
    EXPECT_TRUE(now.is_all_covered());
}

TEST(facts, a_size_that_has_changed_is_not_the_size_that_was_zeroed) {
    facts now = zeroed(value(size));
    now.assign(size, value(got), fresh_atom);
    now.cover({0, value(size)});
    EXPECT_FALSE(now.is_all_covered());
}

TEST(facts, a_promise_is_kept_on_success_alone) {
    facts now = zeroed(value(size));
    now.cover({0, value(got)});
    now.promise_if({index, success::if_zero, value(got) - value(size)});
    facts failed = now;
    ASSERT_TRUE(failed.assume(value(index) - 1, relation::equal));
    EXPECT_FALSE(failed.is_all_covered());
    ASSERT_TRUE(now.assume(value(index), relation::equal));
    EXPECT_TRUE(now.is_all_covered());
}

TEST(facts, a_path_that_contradicts_itself_does_not_exist) {
    facts now = zeroed(value(size));
    ASSERT_TRUE(now.assume(value(got), relation::equal));
    EXPECT_FALSE(now.assume(value(got) - 1, relation::equal));
    EXPECT_FALSE(now.assume(value(got), relation::above));
}

}  // namespace
}  // namespace freehold::check::facts_test
