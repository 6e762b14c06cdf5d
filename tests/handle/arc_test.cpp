// SPDX-License-Identifier: BSL-1.0
// arc and weak_arc: what they promise whatever counts their owners.
#include <freehold/count/biased_count.hpp>
#include <freehold/handle/arc.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <new>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <unordered_set>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace freehold::arc_test {
namespace {

struct census {
    static inline int alive = 0;
    static inline int destroyed = 0;
};

struct counted {
    explicit counted(int number = 0) : value(number) { ++census::alive; }
    counted(const counted&) = delete;
    counted& operator=(const counted&) = delete;
    ~counted() {
        --census::alive;
        ++census::destroyed;
    }
    int value;
};

template <class Count>
class arc_of : public testing::Test {
protected:
    void SetUp() override { census::alive = census::destroyed = 0; }
    void TearDown() override { EXPECT_EQ(census::alive, 0) << "an object outlived its owners"; }
};

using counts = testing::Types<local_count, atomic_count, biased_count>;
TYPED_TEST_SUITE(arc_of, counts);

TYPED_TEST(arc_of, null_owns_nothing) {
    using handle = arc<counted, TypeParam>;
    static constinit const handle constant;
    const handle by_default, by_nullptr(nullptr), copy(by_default);
    for (const handle* null :
         std::initializer_list<const handle*>{&constant, &by_default, &by_nullptr, &copy}) {
        EXPECT_EQ(null->get(), nullptr);
        EXPECT_FALSE(*null);
        EXPECT_EQ(null->use_count(), 0);
        EXPECT_FALSE(null->unique());
        EXPECT_TRUE(*null == nullptr);
    }
}

TYPED_TEST(arc_of, copies_share_and_the_last_one_destroys) {
    using handle = arc<counted, TypeParam>;
    {
        handle first = make_arc<counted, TypeParam>(7);
        EXPECT_EQ(first->value, 7);
        EXPECT_EQ(&*first, first.get());
        EXPECT_TRUE(first.unique());
        const handle second(first);
        {
            handle third;
            third = second;
            EXPECT_EQ(first.use_count(), 3);
            EXPECT_EQ(third.get(), first.get());
        }
        EXPECT_EQ(second.use_count(), 2);
        first.reset();
        EXPECT_TRUE(second.unique());
        EXPECT_EQ(census::alive, 1);
    }
    EXPECT_EQ(census::destroyed, 1);
}

TYPED_TEST(arc_of, moves_leave_null_behind) {
    using handle = arc<counted, TypeParam>;
    handle source = make_arc<counted, TypeParam>();
    counted* const raw = source.get();
    handle constructed(std::move(source));
    EXPECT_EQ(source, nullptr);
    handle assigned = make_arc<counted, TypeParam>();
    assigned = std::move(constructed);
    EXPECT_EQ(census::destroyed, 1);
    EXPECT_EQ(assigned.get(), raw);
    EXPECT_TRUE(assigned.unique());
    handle& same = assigned;
    assigned = std::move(same);
    EXPECT_EQ(assigned.get(), raw);
    assigned = same;
    EXPECT_TRUE(assigned.unique());
    assigned = nullptr;
    EXPECT_EQ(census::destroyed, 2);
}

TYPED_TEST(arc_of, swaps_compares_hashes_and_prints_as_its_pointer) {
    using handle = arc<int, TypeParam>;
    handle first = make_arc<int, TypeParam>(1), second = make_arc<int, TypeParam>(2), null;
    const handle copy(first);
    EXPECT_TRUE(first == copy && first != second && null == nullptr && first != nullptr);
    EXPECT_EQ(first < second, std::less<>()(first.get(), second.get()));
    EXPECT_EQ((std::unordered_set<handle>{first, second, copy, null}.size()), 3U);
    EXPECT_EQ((std::set<handle>{first, second, copy, null}.size()), 3U);
    std::ostringstream by_handle, by_pointer;
    by_handle << first;
    by_pointer << first.get();
    EXPECT_EQ(by_handle.str(), by_pointer.str());
    swap(first, second);
    EXPECT_EQ(*first, 2);
    first.swap(null);
    EXPECT_EQ(first, nullptr);
}

// Lets go of a handle in its destructor: the one whose assignment causes it.
template <class Count>
struct re_entrant {
    arc<re_entrant, Count>* home = nullptr;
    int* destroyed = nullptr;
    ~re_entrant() {
        ++*destroyed;
        if (home != nullptr) *home = nullptr;
    }
};

TYPED_TEST(arc_of, assignment_may_be_re_entered_from_the_destructor_it_causes) {
    int destroyed = 0;
    arc<re_entrant<TypeParam>, TypeParam> home = make_arc<re_entrant<TypeParam>, TypeParam>();
    home->home = &home;
    home->destroyed = &destroyed;
    auto next = make_arc<re_entrant<TypeParam>, TypeParam>();
    next->destroyed = &destroyed;
    home = next;
    EXPECT_EQ(home, nullptr);
    EXPECT_TRUE(next.unique());
    next = nullptr;
    EXPECT_EQ(destroyed, 2);
}

TYPED_TEST(arc_of, weak_references_lock_while_there_are_owners) {
    auto owner = make_arc<counted, TypeParam>(5);
    const weak_arc<counted, TypeParam> weak(owner), copy(weak);
    weak_arc<counted, TypeParam> given(copy);
    weak_arc<counted, TypeParam> moved(std::move(given));
    EXPECT_EQ(given.lock(), nullptr);
    EXPECT_EQ(owner.use_count(), 1);
    EXPECT_EQ(weak.use_count(), 1);
    {
        const auto locked = moved.lock();
        ASSERT_NE(locked, nullptr);
        EXPECT_EQ(locked->value, 5);
        EXPECT_EQ(owner.use_count(), 2);
    }
    owner.reset();
    EXPECT_EQ(census::destroyed, 1) << "weak references keep the memory, not the object";
    EXPECT_TRUE(weak.expired());
    EXPECT_EQ(weak.lock(), nullptr);
    moved = weak_arc<counted, TypeParam>();
    EXPECT_TRUE(moved.expired());
    EXPECT_EQ(moved.lock(), nullptr);
    moved = copy;
    EXPECT_TRUE(moved.expired());
}

// Has a weak reference to itself, which goes with it.
template <class Count>
struct knows_itself {
    weak_arc<knows_itself, Count> self;
    int* destroyed;
    ~knows_itself() {
        ++*destroyed;
        EXPECT_EQ(self.lock(), nullptr) << "there are no owners any more";
    }
};

TYPED_TEST(arc_of, an_object_may_know_itself) {
    int destroyed = 0;
    {
        auto owner = make_arc<knows_itself<TypeParam>, TypeParam>();
        owner->self = owner;
        owner->destroyed = &destroyed;
        EXPECT_EQ(owner->self.lock(), owner);
    }
    EXPECT_EQ(destroyed, 1);
}

TYPED_TEST(arc_of, arrays_know_their_length) {
    using handle = arc<std::string[], TypeParam>;
    const handle null;
    EXPECT_EQ(null.size(), 0U);
    EXPECT_EQ(null.begin(), null.end());
    const handle words = make_arc<std::string[], TypeParam>(3, "a word too long for its handle");
    EXPECT_EQ(words.size(), 3U);
    words[1] = "another";
    std::string all;
    for (const std::string& word : words) all += word.substr(0, 2);
    EXPECT_EQ(all, "a ana ");
    const weak_arc<std::string[], TypeParam> weak(words);
    EXPECT_EQ(weak.lock(), words);
    const auto none = make_arc<counted[], TypeParam>(0);
    EXPECT_NE(none, nullptr);
    EXPECT_EQ(none.size(), 0U);
    const auto zeroed = make_arc<int[], TypeParam>(1000);
    for (const int number : zeroed) ASSERT_EQ(number, 0);
    EXPECT_THROW(static_cast<void>(make_arc<int[], TypeParam>(SIZE_MAX / 2)),
                 std::bad_array_new_length);
}

struct throws_at {
    static inline int countdown = 0;
    static inline std::vector<int> destroyed;
    throws_at() : number(countdown) {
        if (countdown-- == 0) throw std::runtime_error("refused");
    }
    throws_at(const throws_at&) = delete;
    throws_at& operator=(const throws_at&) = delete;
    ~throws_at() { destroyed.push_back(number); }
    int number;
};

TYPED_TEST(arc_of, makes_nothing_when_a_constructor_throws) {
    throws_at::countdown = 0;
    throws_at::destroyed.clear();
    EXPECT_THROW(static_cast<void>(make_arc<throws_at, TypeParam>()), std::runtime_error);
    EXPECT_TRUE(throws_at::destroyed.empty());
    throws_at::countdown = 3;
    EXPECT_THROW(static_cast<void>(make_arc<throws_at[], TypeParam>(5)), std::runtime_error);
    EXPECT_EQ(throws_at::destroyed, (std::vector<int>{1, 2, 3})) << "last to first";
}

template <std::size_t Alignment>
struct alignas(Alignment) aligned {
    char text[Alignment + 1] = {'x'};
};

TYPED_TEST(arc_of, objects_are_aligned_and_over_aligned) {
    const auto check = [](const auto& owner, std::size_t alignment) {
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(owner.get()) % alignment, 0U);
        EXPECT_EQ(owner->text[0], 'x');
        EXPECT_EQ(owner.use_count(), 1);
    };
    check(make_arc<aligned<1>, TypeParam>(), 1);
    check(make_arc<aligned<2>, TypeParam>(), 2);
    check(make_arc<aligned<4>, TypeParam>(), 4);
    check(make_arc<aligned<16>, TypeParam>(), 16);
    check(make_arc<aligned<64>, TypeParam>(), 64);
    check(make_arc<aligned<4096>, TypeParam>(), 4096);
    const auto row = make_arc<aligned<64>[], TypeParam>(3);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(&row[2]) % 64, 0U);
    EXPECT_EQ(row.size(), 3U);
}

TYPED_TEST(arc_of, for_overwrite_writes_no_value) {
    const auto owner = make_arc_for_overwrite<counted, TypeParam>();
    EXPECT_EQ(census::alive, 1) << "constructors are still called";
    const auto row = make_arc_for_overwrite<int[], TypeParam>(10);
    EXPECT_EQ(row.size(), 10U);
    row[9] = 1;
}

TYPED_TEST(arc_of, holds_const_and_final_objects) {
    struct closed final {
        int number = 4;
    };
    const arc<const closed, TypeParam> made = make_arc<const closed, TypeParam>();
    EXPECT_EQ(made->number, 4);
    arc<const counted, TypeParam> view = make_arc<counted, TypeParam>(3);
    EXPECT_EQ(view->value, 3);
    EXPECT_FALSE((std::constructible_from<arc<counted, TypeParam>, decltype(view)>));
    EXPECT_TRUE((std::convertible_to<arc<int[], TypeParam>, arc<int[], TypeParam>>));
}

TYPED_TEST(arc_of, never_throws_once_made) {
    using handle = arc<counted, TypeParam>;
    EXPECT_EQ(sizeof(handle), sizeof(void*));
    EXPECT_EQ(sizeof(weak_arc<counted, TypeParam>), sizeof(void*));
    EXPECT_TRUE(std::is_nothrow_default_constructible_v<handle>);
    EXPECT_TRUE(std::is_nothrow_copy_constructible_v<handle>);
    EXPECT_TRUE(std::is_nothrow_move_constructible_v<handle>);
    EXPECT_TRUE(std::is_nothrow_copy_assignable_v<handle>);
    EXPECT_TRUE(std::is_nothrow_move_assignable_v<handle>);
    EXPECT_TRUE(std::is_nothrow_swappable_v<handle>);
    EXPECT_TRUE(std::is_nothrow_destructible_v<handle>);
}

struct incomplete;
struct holds_incomplete {
    arc<incomplete> owner;
    weak_arc<incomplete> weak;
    ~holds_incomplete();
};
struct incomplete {
    int value = 1;
};
holds_incomplete::~holds_incomplete() = default;

TEST(arc, is_named_before_its_object_is_complete) {
    holds_incomplete holder;
    holder.owner = make_arc<incomplete>();
    holder.weak = holder.owner;
    EXPECT_EQ(holder.weak.lock()->value, 1);
}

TEST(arc, costs_what_its_header_says) {
    const auto bytes_beside = []<class T, class Count>(std::type_identity<T>,
                                                       std::type_identity<Count>) {
        using block = detail::object_block<T, Count, detail::default_allocator>;
        return sizeof(block) - sizeof(T);
    };
    constexpr std::type_identity<int> four;
    constexpr std::type_identity<long> eight;
    EXPECT_EQ(bytes_beside(four, std::type_identity<atomic_count>()), 12U);
    EXPECT_EQ(bytes_beside(four, std::type_identity<local_count>()), 12U);
    EXPECT_EQ(bytes_beside(four, std::type_identity<biased_count>()), 20U);
    EXPECT_EQ(bytes_beside(eight, std::type_identity<atomic_count>()), 16U);
    EXPECT_EQ(bytes_beside(eight, std::type_identity<local_count>()), 16U);
    EXPECT_EQ(bytes_beside(eight, std::type_identity<biased_count>()), 24U);
}

}  // namespace
}  // namespace freehold::arc_test
