// SPDX-License-Identifier: BSL-1.0
#include <freehold/count/biased_count.hpp>
#include <freehold/handle/shared_ptr.hpp>
#include <freehold/handle/std_interop.hpp>

#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace freehold::tests::std_interop_test {
namespace {

template <class A, class B>
bool share_an_owner(const A& a, const B& b) {
    return !a.owner_before(b) && !b.owner_before(a);
}

struct counted {
    static inline int alive = 0;
    int value = 7;
    int part = 8;

    counted() { ++alive; }
    counted(const counted&) = delete;
    counted& operator=(const counted&) = delete;
    virtual ~counted() { --alive; }
};
struct derived : counted {};

template <class Count>
class std_interop : public testing::Test {};
using counts = testing::Types<local_count, atomic_count, biased_count>;
TYPED_TEST_SUITE(std_interop, counts);

TYPED_TEST(std_interop, keeps_the_object_until_both_kinds_have_released_it) {
    auto ours = make_shared<counted, TypeParam>();
    std::shared_ptr<counted> theirs = to_std(ours);
    EXPECT_EQ(theirs.get(), ours.get());
    EXPECT_EQ(ours.use_count(), 2);
    ours.reset();
    EXPECT_EQ(counted::alive, 1);
    EXPECT_EQ(theirs->value, 7);
    theirs.reset();
    EXPECT_EQ(counted::alive, 0);

    theirs = std::make_shared<counted>();
    ours = from_std<TypeParam>(theirs);
    theirs.reset();
    EXPECT_EQ(counted::alive, 1);
    ours.reset();
    EXPECT_EQ(counted::alive, 0);
}

TYPED_TEST(std_interop, lets_the_object_go_while_weak_references_are_left) {
    std::weak_ptr<counted> theirs = to_std(make_shared<counted, TypeParam>());
    EXPECT_TRUE(theirs.expired());
    EXPECT_EQ(counted::alive, 0);
    weak_ptr<counted, TypeParam> ours = from_std<TypeParam>(std::make_shared<counted>());
    EXPECT_TRUE(ours.expired());
    EXPECT_EQ(counted::alive, 0);
}

TYPED_TEST(std_interop, unwraps_what_came_from_the_other_side) {
    const auto ours = make_shared<counted, TypeParam>();
    const auto back = from_std<TypeParam>(to_std(ours));
    EXPECT_TRUE(share_an_owner(ours, back));
    EXPECT_EQ(ours.use_count(), 2);

    const auto theirs = std::make_shared<counted>();
    const auto theirs_back = to_std(from_std<TypeParam>(theirs));
    EXPECT_TRUE(share_an_owner(theirs, theirs_back));
    EXPECT_EQ(theirs.use_count(), 2);
}

TYPED_TEST(std_interop, unwraps_after_casts_and_aliases) {
    const auto ours = make_shared<derived, TypeParam>();
    const std::shared_ptr<const counted> base = to_std(ours);
    const auto back = from_std<TypeParam>(base);
    EXPECT_TRUE(share_an_owner(ours, back));
    EXPECT_EQ(back.get(), ours.get());

    const std::shared_ptr<int> part(base, const_cast<int*>(&base->part));
    const auto part_back = from_std<TypeParam>(part);
    EXPECT_TRUE(share_an_owner(ours, part_back));
    EXPECT_EQ(*part_back, 8);
}

TYPED_TEST(std_interop, keeps_null_with_and_without_an_owner) {
    EXPECT_EQ(to_std(shared_ptr<int, TypeParam>()).use_count(), 0);
    EXPECT_EQ(from_std<TypeParam>(std::shared_ptr<int>()).use_count(), 0);

    auto owner = make_shared<counted, TypeParam>();
    const auto owning_null = to_std(shared_ptr<int, TypeParam>(owner, nullptr));
    EXPECT_EQ(owning_null.get(), nullptr);
    EXPECT_EQ(owning_null.use_count(), 1);
    owner.reset();
    EXPECT_EQ(counted::alive, 1);

    const auto back = from_std<TypeParam>(owning_null);
    EXPECT_EQ(back.get(), nullptr);
    EXPECT_EQ(back.use_count(), 2);
}

TYPED_TEST(std_interop, keeps_a_pointer_that_nobody_owns) {
    int outside = 3;
    const auto theirs = to_std(shared_ptr<int, TypeParam>(shared_ptr<int, TypeParam>(), &outside));
    EXPECT_EQ(theirs.get(), &outside);
    EXPECT_EQ(theirs.use_count(), 0);
    EXPECT_EQ(from_std<TypeParam>(theirs).get(), &outside);
}

TYPED_TEST(std_interop, calls_the_first_owners_deleter) {
    int deleted = 0;
    {
        const shared_ptr<int, TypeParam> ours(new int(1), [&](int* pointer) {
            ++deleted;
            delete pointer;
        });
        const auto theirs = to_std(ours);
        EXPECT_EQ(deleted, 0);
    }
    EXPECT_EQ(deleted, 1);
}

TEST(std_interop_of_arrays, keeps_the_element_type) {
    const std::shared_ptr<int[]> theirs = to_std(make_shared<int[]>(3, 5));
    EXPECT_EQ(theirs[2], 5);
    const shared_ptr<int[]> back = from_std(theirs);
    EXPECT_EQ(back[2], 5);
}

TEST(std_interop_on_threads, is_released_by_whichever_comes_last) {
    for (int i = 0; i < 200; ++i) {
        auto ours = make_shared<std::string>("shared by both kinds");
        auto theirs = to_std(ours);
        std::thread other([moved = std::move(theirs)]() mutable {
            const auto copy = from_std(moved);
            moved.reset();
            EXPECT_EQ(copy->size(), 20u);
        });
        ours.reset();
        other.join();
    }
}

}  // namespace
}  // namespace freehold::tests::std_interop_test
