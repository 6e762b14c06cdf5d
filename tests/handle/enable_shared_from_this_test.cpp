// SPDX-License-Identifier: BSL-1.0
// Which objects know their owners, and which must not.
#include <freehold/count/biased_count.hpp>
#include <freehold/handle/shared_ptr.hpp>

#include <memory>
#include <type_traits>
#include <utility>

#include <gtest/gtest.h>

namespace freehold::enable_shared_from_this_test {
namespace {

struct aware : enable_shared_from_this<aware> {
    virtual ~aware() = default;
};
struct derived : aware {
    explicit derived(int number = 0) : value(number) {}
    int value;
};

template <class Maker>
void expect_awareness(Maker make) {
    const auto owner = make();
    EXPECT_EQ(owner->shared_from_this(), owner);
    EXPECT_EQ(owner.use_count(), 1);
    EXPECT_TRUE(owner->weak_from_this().owner_equal(owner));
    const aware& constant = *owner;
    EXPECT_TRUE((std::is_same_v<decltype(constant.shared_from_this()), shared_ptr<const aware>>));
    EXPECT_EQ(constant.shared_from_this(), owner);
    EXPECT_EQ(constant.weak_from_this().lock(), owner);
}

TEST(enable_shared_from_this, learns_of_the_first_owner_however_that_came) {
    expect_awareness([] { return shared_ptr<aware>(new aware); });
    expect_awareness([] { return shared_ptr<derived>(new derived); });
    expect_awareness([] { return shared_ptr<aware>(new derived); });
    expect_awareness([] { return make_shared<derived>(); });
    expect_awareness([] { return make_shared<const derived>(1); });
    expect_awareness([] { return make_shared_for_overwrite<derived>(); });
    expect_awareness([] { return freehold::allocate_shared<aware>(std::allocator<int>()); });
    expect_awareness([] { return shared_ptr<aware>(std::make_unique<derived>()); });
    expect_awareness([] { return shared_ptr<aware>(new aware, std::default_delete<aware>()); });
    expect_awareness([] {
        shared_ptr<aware> owner;
        owner.reset(new derived);
        return owner;
    });
}

TEST(enable_shared_from_this, throws_without_an_owner) {
    aware on_the_stack;
    EXPECT_THROW(static_cast<void>(on_the_stack.shared_from_this()), std::bad_weak_ptr);
    EXPECT_TRUE(on_the_stack.weak_from_this().expired());
    const auto unowned = std::make_unique<derived>();
    EXPECT_THROW(static_cast<void>(unowned->shared_from_this()), std::bad_weak_ptr);

    struct impatient : enable_shared_from_this<impatient> {
        impatient() { static_cast<void>(shared_from_this()); }
    };
    EXPECT_THROW(static_cast<void>(make_shared<impatient>()), std::bad_weak_ptr);
    EXPECT_THROW(shared_ptr<impatient>(new impatient), std::bad_weak_ptr);
}

TEST(enable_shared_from_this, knows_no_owner_in_its_destructor) {
    struct dying : enable_shared_from_this<dying> {
        bool* knew;
        explicit dying(bool& answer) : knew(&answer) {}
        ~dying() { *knew = !weak_from_this().expired() || weak_from_this().lock() != nullptr; }
    };
    bool knew = true;
    make_shared<dying>(knew).reset();
    EXPECT_FALSE(knew);
}

TEST(enable_shared_from_this, is_owned_anew_after_its_owner_has_gone) {
    aware object;
    const auto leave_alone = [](aware*) {};
    {
        const shared_ptr<aware> first(&object, leave_alone);
        const shared_ptr<aware> second(&object, leave_alone);
        EXPECT_TRUE(object.shared_from_this().owner_equal(first));
        EXPECT_EQ(second.use_count(), 1);
    }
    EXPECT_TRUE(object.weak_from_this().expired());
    const shared_ptr<aware> third(&object, leave_alone);
    EXPECT_TRUE(object.shared_from_this().owner_equal(third));
}

TEST(enable_shared_from_this, does_not_copy_its_owner) {
    const auto owner = make_shared<derived>(1);
    const auto other = make_shared<derived>(2);
    const derived copy(*owner);
    EXPECT_TRUE(copy.weak_from_this().expired());
    *other = *owner;
    EXPECT_EQ(other->value, 1);
    EXPECT_EQ(other->shared_from_this(), other);
    derived moved(std::move(*owner));
    EXPECT_EQ(owner->shared_from_this(), owner);
    moved = std::move(*other);
    EXPECT_TRUE(moved.weak_from_this().expired());
}

TEST(enable_shared_from_this, ignores_aliases_and_arrays) {
    struct whole {
        aware part;
    };
    const auto owner = make_shared<whole>();
    const shared_ptr<aware> alias(owner, &owner->part);
    EXPECT_TRUE(alias->weak_from_this().expired());
    const auto row = make_shared<aware[]>(2);
    EXPECT_TRUE(row[0].weak_from_this().expired());
    const shared_ptr<aware[]> given(new aware[2]);
    EXPECT_TRUE(given[0].weak_from_this().expired());
}

// A base that cannot be reached, or of which there are two, is as good as none.
TEST(enable_shared_from_this, is_ignored_where_it_is_no_one_public_base) {
    class secretive : enable_shared_from_this<secretive> {
    public:
        bool knows() const { return !weak_from_this().expired(); }
    };
    EXPECT_FALSE(make_shared<secretive>()->knows());
    EXPECT_FALSE(shared_ptr<secretive>(new secretive)->knows());

    struct other_aware : enable_shared_from_this<other_aware> {};
    struct twice : aware, other_aware {};
    const auto owner = make_shared<twice>();
    EXPECT_TRUE(owner->aware::weak_from_this().expired());
    EXPECT_TRUE(owner->other_aware::weak_from_this().expired());
}

TEST(enable_shared_from_this, may_be_a_virtual_base) {
    struct left : virtual aware {};
    struct right : virtual aware {};
    struct diamond final : left, right {};
    const auto owner = make_shared<diamond>();
    const shared_ptr<aware> itself = owner->shared_from_this();
    EXPECT_EQ(itself.use_count(), 2);
    EXPECT_EQ(itself, owner);
}

TEST(enable_shared_from_this, counts_as_its_owners_do) {
    struct local : enable_shared_from_this<local, local_count> {};
    struct biased : enable_shared_from_this<biased, biased_count> {};
    const auto first = make_shared<local, local_count>();
    EXPECT_EQ(first->shared_from_this(), first);
    const biased_shared_ptr<biased> second(new biased);
    EXPECT_EQ(second->shared_from_this(), second);
    // Owners of another kind of count are none that it could share with.
    const auto third = make_shared<local>();
    EXPECT_TRUE(third->weak_from_this().expired());
}

}  // namespace
}  // namespace freehold::enable_shared_from_this_test
