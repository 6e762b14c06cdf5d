// SPDX-License-Identifier: BSL-1.0
#include <freehold/handle/dumb_ptr.hpp>

#include "contracts/observed_objects.hpp"

#include <type_traits>
#include <utility>

#include <gtest/gtest.h>

namespace freehold::contracts::dumb_ptr_test {
namespace {

struct dumb {
    template <class Derived>
    using base = nothing<Derived>;
};

class a_dumb_ptr : public testing::Test {
protected:
    void SetUp() override { census::start(); }
    void TearDown() override { EXPECT_EQ(census::alive, 0); }
};

TEST_F(a_dumb_ptr, destroys_when_told_and_not_otherwise) {
    const dumb_ptr<animal<dumb>> first(new animal<dumb>(4));
    {
        dumb_ptr<animal<dumb>> second(first);
        dumb_ptr<animal<dumb>> third;
        third = second;
        second.reset();
        EXPECT_EQ(second, nullptr);
        EXPECT_EQ(third->value, 4);
    }
    EXPECT_EQ(census::alive, 1);
    dumb_ptr<animal<dumb>> last(first);
    last.dispose();
    EXPECT_EQ(last, nullptr);
    EXPECT_EQ(census::animals_destroyed, 1);
    last.dispose();
}

TEST_F(a_dumb_ptr, converts_from_derived) {
    dumb_ptr<dog<dumb>> derived(new dog<dumb>(2));
    dumb_ptr<animal<dumb>> base(derived);
    EXPECT_EQ(base->value, 2);
    EXPECT_TRUE(base == derived);
    base.dispose();
    EXPECT_EQ(census::dogs_destroyed, 1);
}

TEST_F(a_dumb_ptr, is_a_plain_pointer_to_the_compiler) {
    EXPECT_TRUE(std::is_trivially_copyable_v<dumb_ptr<int>>);
    EXPECT_EQ(sizeof(dumb_ptr<int>), sizeof(int*));
    constexpr int sum = [] {
        dumb_ptr a(new int(3));
        dumb_ptr b(new int(4));
        swap(a, b);
        const int difference = *a - *b;
        a.dispose();
        b.dispose();
        return difference;
    }();
    EXPECT_EQ(sum, 1);
}

}  // namespace
}  // namespace freehold::contracts::dumb_ptr_test
