// SPDX-License-Identifier: BSL-1.0
// What linked_ptr promises beyond the contract of all owning handles.
#include <freehold/handle/linked_ptr.hpp>

#include <memory>
#include <type_traits>

#include <gtest/gtest.h>

namespace freehold::linked_ptr_test {
namespace {

static_assert(sizeof(linked_ptr<int>) == 3 * sizeof(void*));
static_assert(std::is_nothrow_constructible_v<linked_ptr<int>, int*>);

struct plain_base {
    int value = 0;
};
struct plain_derived : plain_base {
    explicit plain_derived(int& deaths_) : deaths(deaths_) {}
    ~plain_derived() { ++deaths; }
    int& deaths;
};

// Knows what was made, whatever type the owners see.
struct delete_as_derived {
    void operator()(plain_base* doomed) const { delete static_cast<plain_derived*>(doomed); }
};

TEST(a_linked_ptr, needs_no_virtual_destructor_with_a_deleter_that_knows) {
    int deaths = 0;
    {
        linked_ptr<plain_base, delete_as_derived> base;
        {
            const linked_ptr<plain_derived, delete_as_derived> derived(new plain_derived(deaths));
            base = derived;
            EXPECT_EQ(base.use_count(), 2);
        }
        EXPECT_TRUE(base.unique());
        EXPECT_EQ(deaths, 0);
    }
    EXPECT_EQ(deaths, 1);
}

TEST(a_linked_ptr, carries_the_state_of_its_deleter_along) {
    struct adding_deleter {
        int* sum;
        int amount;
        void operator()(int*) const { *sum += amount; }
    };
    int object = 0, sum = 0;
    using handle = linked_ptr<int, adding_deleter>;
    {
        handle one(&object, {&sum, 1}), ten(&object, {&sum, 10});
        one.swap(ten);
        EXPECT_EQ(one.get_deleter().amount, 10);
        handle copy(ten);
        copy = one;
        EXPECT_EQ(sum, 0);
        ten = one;
        EXPECT_EQ(sum, 1);
    }
    EXPECT_EQ(sum, 11);
}

TEST(a_linked_ptr, stays_in_its_ring_wherever_its_links_go) {
    linked_ptr<int> owners[4] = {linked_ptr<int>(new int(5)), nullptr, nullptr, nullptr};
    owners[1] = owners[0];
    owners[2] = owners[0];
    owners[3] = std::move(owners[1]);
    EXPECT_EQ(owners[0].use_count(), 3);
    owners[0].reset();
    EXPECT_EQ(owners[3].use_count(), 2);
    owners[1] = std::move(owners[2]);
    EXPECT_EQ(owners[1].use_count(), 2);
    owners[3] = nullptr;
    EXPECT_TRUE(owners[1].unique());
    EXPECT_EQ(*owners[1], 5);
}

}  // namespace
}  // namespace freehold::linked_ptr_test
