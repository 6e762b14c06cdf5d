// SPDX-License-Identifier: BSL-1.0
// What shared_ptr and weak_ptr promise beyond the contracts of all handles: deleters of any kind,
// null that is owned, aliasing, casts, order by owner, every kind of pointee.
#include <freehold/handle/shared_ptr.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <type_traits>
#include <unordered_set>
#include <utility>

#include <gtest/gtest.h>

namespace freehold::shared_ptr_test {
namespace {

static_assert(sizeof(shared_ptr<int>) == 2 * sizeof(void*));
static_assert(sizeof(weak_ptr<int>) == 2 * sizeof(void*));
static_assert(sizeof(enable_shared_from_this<int>) == sizeof(weak_ptr<int>));
static_assert(std::is_nothrow_move_constructible_v<shared_ptr<void>>);
static_assert(std::is_nothrow_move_assignable_v<shared_ptr<const int[]>>);
static_assert(std::is_same_v<shared_ptr<int[3]>::element_type, int>);
static_assert(std::is_same_v<shared_ptr<int>::weak_type, weak_ptr<int>>);
static_assert(std::is_same_v<decltype(shared_ptr(weak_ptr<int>())), shared_ptr<int>>);
static_assert(std::is_same_v<decltype(weak_ptr(shared_ptr<int>())), weak_ptr<int>>);
static_assert(std::is_same_v<decltype(shared_ptr(std::unique_ptr<int[]>())), shared_ptr<int[]>>);
static_assert(std::is_constructible_v<shared_ptr<const int[]>, int*>);
static_assert(!std::is_constructible_v<shared_ptr<int[]>, int (*)[]>);
static_assert(!std::is_constructible_v<shared_ptr<int>, shared_ptr<int[]>>);
static_assert(std::is_convertible_v<shared_ptr<int[2]>, shared_ptr<const int[]>>);
static_assert(!std::is_convertible_v<shared_ptr<int[]>, shared_ptr<int[2]>>);

struct animal {
    virtual ~animal() = default;
    virtual int legs() const = 0;
};
struct ant final : animal {
    int legs() const override { return 6; }
    int age = 3;
};

class indelible {
public:
    static shared_ptr<indelible> make(int& deaths) {
        return shared_ptr<indelible>(new indelible, [&deaths](indelible* doomed) {
            ++deaths;
            delete doomed;
        });
    }

private:
    ~indelible() = default;
};

TEST(a_shared_ptr, owns_a_null_pointer_that_it_is_given) {
    int calls = 0;
    const auto count_calls = [&calls](auto* null) { calls += null == nullptr ? 1 : 100; };
    {
        const shared_ptr<int> owner(static_cast<int*>(nullptr), count_calls);
        const shared_ptr<int> copy(owner);
        EXPECT_FALSE(copy);
        EXPECT_EQ(copy.use_count(), 2);
    }
    EXPECT_EQ(calls, 1);
    {
        const auto count_calls_too = [&calls](std::nullptr_t) { ++calls; };
        const shared_ptr<int> first(nullptr, count_calls_too);
        const shared_ptr<animal> second(nullptr, count_calls_too, std::allocator<char>());
        EXPECT_EQ(first.use_count(), 1);
    }
    EXPECT_EQ(calls, 3);
}

TEST(a_shared_ptr, finds_its_deleter_by_type) {
    struct deleter {
        int mark;
        void operator()(const animal* doomed) const { delete doomed; }
    };
    shared_ptr<ant> owner(new ant, deleter{7});
    const shared_ptr<animal> as_base(owner);
    const shared_ptr<int> aliased(owner, &owner->age);
    EXPECT_EQ(get_deleter<deleter>(owner)->mark, 7);
    get_deleter<deleter>(as_base)->mark = 8;
    EXPECT_EQ(get_deleter<const deleter>(aliased)->mark, 8);
    EXPECT_EQ((get_deleter<std::default_delete<ant>>(owner)), nullptr);
    EXPECT_EQ((get_deleter<std::default_delete<ant>>(shared_ptr<animal>(new ant))), nullptr);
    EXPECT_EQ(get_deleter<deleter>(shared_ptr<int>()), nullptr);
    EXPECT_EQ(get_deleter<deleter>(make_shared<ant>()), nullptr);
}

TEST(a_shared_ptr, takes_deleters_that_only_move) {
    int object = 0;
    const auto bonus = make_shared<int>(5);
    {
        auto add = [extra = std::make_unique<int>(2), more = bonus](int* value) {
            *value += *extra + *more;
        };
        shared_ptr<int> owner(&object, std::move(add));
        EXPECT_EQ(bonus.use_count(), 2);
    }
    EXPECT_EQ(object, 7);
    EXPECT_TRUE(bonus.unique());
}

struct of_pointers_alone {
    template <class T>
    void operator()(T*) const;
};
static_assert(!std::is_constructible_v<shared_ptr<int>, std::nullptr_t, of_pointers_alone>);

// They are not asked whether they would take null, too.
TEST(a_shared_ptr, takes_generic_deleters) {
    const auto delete_it = [](auto* doomed) { delete doomed; };
    const auto delete_any = [](auto doomed) { delete doomed; };
    const shared_ptr<ant> first(new ant, delete_it);
    const shared_ptr<animal> second(new ant, delete_any);
    const shared_ptr<void> third(new int, delete_any, std::allocator<int>());
    const shared_ptr<int> null(nullptr, [](auto) {});
    const shared_ptr<int> zero(0, [](auto) {});
    EXPECT_EQ(third.use_count() + null.use_count() + zero.use_count(), 3);
}

TEST(a_shared_ptr, aliases_parts_of_its_object) {
    shared_ptr<ant> whole(new ant);
    shared_ptr<int> part(whole, &whole->age);
    EXPECT_EQ(part.use_count(), 2);
    EXPECT_TRUE(part.owner_equal(whole));
    weak_ptr<int> weak(part);
    whole.reset();
    EXPECT_EQ(*weak.lock(), 3);
    const shared_ptr<int> moved(std::move(part), &*weak.lock());
    EXPECT_EQ(part, nullptr);
    EXPECT_EQ(part.use_count(), 0);
    EXPECT_EQ(*moved, 3);

    int unowned = 4;
    const shared_ptr<int> observer(shared_ptr<void>(), &unowned);
    EXPECT_EQ(observer.use_count(), 0);
    EXPECT_EQ(*observer, 4);
    EXPECT_EQ(weak_ptr<int>(observer).lock(), nullptr);
    const shared_ptr<int> owning_null(moved, nullptr);
    EXPECT_EQ(owning_null.use_count(), 2);
    EXPECT_FALSE(owning_null);
}

TEST(a_shared_ptr, is_cast_with_and_without_its_ownership) {
    shared_ptr<const animal> base = make_shared<ant>();
    const auto exact = dynamic_pointer_cast<const ant>(base);
    EXPECT_EQ(static_pointer_cast<const ant>(base), exact);
    EXPECT_EQ(const_pointer_cast<animal>(base), base);
    EXPECT_EQ(reinterpret_pointer_cast<const char>(base).use_count(), 3);
    struct other : animal {
        int legs() const override { return 0; }
    };
    EXPECT_EQ(dynamic_pointer_cast<const other>(base), nullptr);
    EXPECT_EQ(dynamic_pointer_cast<const other>(std::move(base)), nullptr);
    ASSERT_NE(base, nullptr);
    EXPECT_EQ(base.use_count(), 2);

    auto ant_moved = dynamic_pointer_cast<const ant>(std::move(base));
    EXPECT_EQ(base, nullptr);
    EXPECT_EQ(ant_moved.use_count(), 2);
    auto back = static_pointer_cast<const animal>(std::move(ant_moved));
    auto writable = const_pointer_cast<animal>(std::move(back));
    const auto bytes = reinterpret_pointer_cast<char>(std::move(writable));
    EXPECT_EQ(bytes.use_count(), 2);
    EXPECT_EQ(writable, nullptr);
}

TEST(a_shared_ptr, is_ordered_and_hashed_by_owner_on_request) {
    const shared_ptr<ant> first(new ant);
    const shared_ptr<int> part(first, &first->age);
    const shared_ptr<ant> second(new ant);
    const shared_ptr<ant> null;
    const weak_ptr<int> weak(part);
    EXPECT_FALSE(first.owner_before(part) || part.owner_before(first));
    EXPECT_NE(first.owner_before(second), second.owner_before(first));
    EXPECT_TRUE(null.owner_before(first));
    EXPECT_TRUE(first.owner_equal(weak) && weak.owner_equal(first));
    EXPECT_FALSE(weak.owner_equal(second));
    EXPECT_EQ(first.owner_hash(), weak.owner_hash());

    std::map<weak_ptr<ant>, int, owner_less<weak_ptr<ant>>> numbers;
    numbers[first] = 1;
    numbers[second] = 2;
    EXPECT_EQ(numbers.size(), 2U);
    EXPECT_EQ(numbers.find(first)->second, 1);
    std::set<shared_ptr<int>, owner_less<>> parts{part};
    EXPECT_NE(parts.find(weak_ptr<ant>(first)), parts.end());
    std::unordered_set<weak_ptr<int>, owner_hash, owner_equal> by_owner{weak, part};
    EXPECT_EQ(by_owner.size(), 1U);
    EXPECT_EQ((std::hash<shared_ptr<int>>()(part)), std::hash<int*>()(part.get()));
}

TEST(a_shared_ptr, takes_over_from_unique_ptr) {
    int deaths = 0;
    const auto count = [&deaths](ant* doomed) {
        ++deaths;
        delete doomed;
    };
    std::unique_ptr<ant, decltype(count)> sole(new ant, count);
    shared_ptr<animal> owner(std::move(sole));
    EXPECT_EQ(sole, nullptr);
    EXPECT_EQ(owner->legs(), 6);
    std::unique_ptr<ant, const decltype(count)&> by_reference(new ant, count);
    owner = std::move(by_reference);
    EXPECT_EQ(deaths, 1);
    owner = std::unique_ptr<ant>();
    EXPECT_EQ(deaths, 2);
    EXPECT_EQ(owner.use_count(), 0);
    const shared_ptr<int[]> row = std::unique_ptr<int[]>(new int[2]{1, 2});
    EXPECT_EQ(row[1], 2);
}

TEST(a_shared_ptr, throws_when_made_from_a_weak_one_whose_object_is_gone) {
    auto owner = make_shared<ant>();
    const weak_ptr<ant> weak(owner);
    EXPECT_EQ(shared_ptr<animal>(weak), owner);
    owner.reset();
    EXPECT_THROW(shared_ptr<ant>{weak}, bad_weak_ptr);
    EXPECT_THROW(shared_ptr<animal>{weak_ptr<ant>()}, std::bad_weak_ptr);
}

TEST(a_shared_ptr, owns_objects_of_every_kind) {
    int deaths = 0;
    { const shared_ptr<void> erased = indelible::make(deaths); }
    EXPECT_EQ(deaths, 1);

    struct alignas(128) wide {
        char bytes[200] = {};
    };
    for (const auto& owner : {make_shared<wide>(), shared_ptr<wide>(new wide)})
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(owner.get()) % 128, 0U);

    const shared_ptr<const volatile int> restless = make_shared<const volatile int>(3);
    EXPECT_EQ(*restless, 3);
    const shared_ptr<int()> function(
        +[] { return 9; }, [](int (*)()) {});
    EXPECT_EQ((*function)(), 9);
    struct picky {
        picky() = delete;
        picky(int&& number, const int& other) : sum(number + other) {}
        int sum;
    };
    const int one = 1;
    EXPECT_EQ(make_shared<picky>(2, one)->sum, 3);
}

struct incomplete;
shared_ptr<incomplete> make_incomplete();

// Handles to it are copied, moved, converted and released where it is not defined.
TEST(a_shared_ptr, needs_no_definition_of_its_pointee) {
    shared_ptr<incomplete> owner = make_incomplete();
    weak_ptr<incomplete> weak(owner);
    shared_ptr<const void> erased(std::move(owner));
    EXPECT_EQ(erased.use_count(), 1);
    owner = weak.lock();
    erased.reset();
    owner.reset();
    EXPECT_TRUE(weak.expired());
}

struct incomplete {
    shared_ptr<incomplete> next;
};
shared_ptr<incomplete> make_incomplete() {
    return make_shared<incomplete>();
}

struct virtual_base {
    int value = 1;
};
struct left : virtual virtual_base {};
struct right : virtual virtual_base {};
struct both : left, right {};

// Where a virtual base stands can only be seen in the object: a weak_ptr must not look after its
// death.
TEST(a_weak_ptr, converts_to_a_virtual_base) {
    auto owner = make_shared<both>();
    const weak_ptr<left> weak_left(owner);
    const weak_ptr<virtual_base> weak(weak_left);
    EXPECT_EQ(weak.lock()->value, 1);
    owner.reset();
    const weak_ptr<virtual_base> late(weak_left);
    weak_ptr<virtual_base> moved(weak_ptr<right>{});
    moved = weak_left;
    EXPECT_TRUE(late.expired());
    EXPECT_TRUE(late.owner_equal(weak));
    EXPECT_TRUE(moved.owner_equal(weak));
}

}  // namespace
}  // namespace freehold::shared_ptr_test
