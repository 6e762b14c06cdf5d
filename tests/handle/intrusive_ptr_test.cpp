// SPDX-License-Identifier: BSL-1.0
// What intrusive_ptr and intrusive_base promise beyond the contract of all owning handles.
#include <freehold/count/local_count.hpp>
#include <freehold/handle/intrusive_ptr.hpp>

#include <compare>
#include <functional>
#include <utility>

#include <gtest/gtest.h>

namespace freehold::intrusive_ptr_test {
namespace {

struct number : intrusive_base<number, local_count> {
    explicit number(int value_) : value(value_) {}
    int value;
};

static_assert(sizeof(intrusive_ptr<number>) == sizeof(void*));

TEST(an_intrusive_ptr, can_be_had_from_an_owned_object_again) {
    const intrusive_ptr<number> owner(new number(1));
    const intrusive_ptr<number> again(owner.get());
    const intrusive_ptr deduced = &*owner;
    EXPECT_EQ(owner.use_count(), 3);
    EXPECT_TRUE(owner == owner.get() && owner.get() == owner);
    intrusive_ptr<number> assigned;
    assigned = owner.get();
    EXPECT_EQ(owner->use_count(), 4);
}

TEST(an_intrusive_ptr, hands_its_ownership_out_and_takes_it_back) {
    intrusive_ptr<number> owner(new number(1));
    number* const detached = owner.detach();
    EXPECT_EQ(owner, nullptr);
    EXPECT_EQ(detached->use_count(), 1);
    const intrusive_ptr<number> adopted(detached, false);
    EXPECT_TRUE(adopted.unique());
    owner.reset(adopted.get());
    EXPECT_EQ(adopted.use_count(), 2);
    number* const detached_again = owner.detach();
    owner.reset(detached_again, false);
    EXPECT_EQ(adopted.use_count(), 2);
}

TEST(an_intrusive_base, keeps_its_owners_when_its_value_is_copied) {
    const intrusive_ptr<number> first(new number(1)), witness(first);
    const intrusive_ptr<number> second(new number(*first));
    EXPECT_TRUE(second.unique());
    EXPECT_EQ(second->value, 1);
    second->value = 2;
    *first = *second;
    EXPECT_EQ(first->value, 2);
    EXPECT_EQ(first.use_count(), 2);
    *first = std::move(*second);
    EXPECT_EQ(first.use_count(), 2);
    EXPECT_TRUE(second.unique());
}

TEST(an_intrusive_base, may_live_without_owners) {
    const number local(3);
    EXPECT_EQ(local.use_count(), 0);
}

// Its base brings freehold's operators into the look-up for raw pointers too.
TEST(an_intrusive_base, leaves_raw_pointers_comparable) {
    number numbers[] = {number(1), number(2)};
    EXPECT_TRUE(std::compare_three_way()(&numbers[0], &numbers[1]) < 0);
    EXPECT_TRUE(std::ranges::less()(&numbers[0], &numbers[1]));
    EXPECT_FALSE(std::ranges::equal_to()(&numbers[0], &numbers[1]));
}

// Known to intrusive_ptr by declarations alone, as in a header that hides the class.
struct hidden;
void intrusive_ptr_add_ref(hidden* object) noexcept;
void intrusive_ptr_release(hidden* object) noexcept;
intrusive_ptr<hidden> make_hidden();
int hidden_deaths = 0;

TEST(an_intrusive_ptr, copies_and_releases_an_undefined_class) {
    {
        intrusive_ptr<hidden> owner = make_hidden();
        const intrusive_ptr<hidden> copy(owner);
        owner.reset();
        EXPECT_EQ(hidden_deaths, 0);
    }
    EXPECT_EQ(hidden_deaths, 1);
}

struct hidden {
    int owners = 0;
};
void intrusive_ptr_add_ref(hidden* object) noexcept {
    ++object->owners;
}
void intrusive_ptr_release(hidden* object) noexcept {
    if (--object->owners != 0) return;
    ++hidden_deaths;
    delete object;
}
intrusive_ptr<hidden> make_hidden() {
    return intrusive_ptr<hidden>(new hidden);
}

}  // namespace
}  // namespace freehold::intrusive_ptr_test
