// SPDX-License-Identifier: BSL-1.0
// What an arc becomes: one to a base, one from an allocator, a shared_ptr.
#include <freehold/handle/arc.hpp>
#include <freehold/handle/shared_ptr.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include <gtest/gtest.h>

namespace freehold::arc_conversions_test {
namespace {

struct census {
    static inline int shapes = 0;
};

// No virtual destructor: an arc needs none.
struct shape {
    shape() { ++census::shapes; }
    shape(const shape&) = delete;
    shape& operator=(const shape&) = delete;
    virtual int corners() const = 0;

protected:
    ~shape() { --census::shapes; }
};
struct polygon : shape {
    virtual std::string name() const = 0;

protected:
    ~polygon() = default;
};
struct triangle final : polygon {
    int corners() const override { return 3; }
    std::string name() const override { return kept_name; }
    std::string kept_name = "a name that is too long to stand in the string itself";
};
struct alignas(64) aligned_square final : polygon {
    int corners() const override { return 4; }
    std::string name() const override { return "square"; }
    char space[70] = {};
};
struct labelled {
    virtual std::string label() const { return "label"; }

protected:
    ~labelled() = default;
};
struct two_bases final : labelled, shape {
    int corners() const override { return 0; }
};
struct by_virtue final : virtual shape {
    int corners() const override { return 1; }
};
struct plain {
    int number = 1;
};
struct more_than_plain : plain {};

template <class From, class To>
constexpr bool converts =
    std::convertible_to<arc<From>, arc<To>> && std::convertible_to<weak_arc<From>, weak_arc<To>>;

static_assert(converts<triangle, polygon>);
static_assert(converts<triangle, shape>);
static_assert(converts<triangle, const shape>);
static_assert(converts<aligned_square, shape>);
static_assert(converts<polygon, shape>);
static_assert(converts<two_bases, labelled>);
static_assert(!converts<two_bases, shape>, "it does not stand at the start");
static_assert(!converts<by_virtue, shape>, "where it stands is known at run time only");
static_assert(!converts<more_than_plain, plain>, "nobody would know what to destroy");
static_assert(!converts<polygon, triangle>);
static_assert(!converts<const triangle, triangle>);
static_assert(!converts<triangle, labelled>);
static_assert(!std::convertible_to<arc<triangle, local_count>, arc<triangle>>);

TEST(arc_to_base, destroys_what_was_made) {
    {
        arc<shape> first = make_arc<triangle>();
        const arc<polygon> second = make_arc<aligned_square>();
        EXPECT_EQ(first->corners(), 3);
        EXPECT_EQ(second->name(), "square");
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(second.get()) % 64, 0U);
        const weak_arc<shape> weak = second;
        EXPECT_EQ(first.use_count(), 1);
        first = second;
        EXPECT_EQ(census::shapes, 1);
        EXPECT_EQ(second.use_count(), 2);
        EXPECT_EQ(weak.lock(), first);
    }
    EXPECT_EQ(census::shapes, 0);
}

TEST(arc_to_base, moves_without_counting) {
    auto made = make_arc<triangle>();
    const void* const raw = made.get();
    arc<polygon> middle = std::move(made);
    arc<shape> base = std::move(middle);
    EXPECT_EQ(middle, nullptr);
    EXPECT_EQ(base.get(), raw);
    EXPECT_TRUE(base.unique());
    weak_arc<triangle> weak = make_arc<triangle>();
    const weak_arc<shape> expired = std::move(weak);
    EXPECT_TRUE(expired.expired());
    EXPECT_EQ(expired.lock(), nullptr);
}

// Abstract, with shape behind another base: only an object tells.
struct hidden : labelled, shape {
protected:
    ~hidden() = default;
};
struct revealed final : hidden {
    int corners() const override { return 9; }
};

TEST(arc_to_base_death, a_base_behind_another_of_an_abstract_class_is_reported) {
    const arc<hidden> owner = make_arc<revealed>();
    EXPECT_DEATH(arc<shape>{owner}, "does not stand at its start; hold it by shared_ptr");
}

// Keeps account of what it gave, by a table outside; so it has state.
template <class T>
struct accountant {
    using value_type = T;
    explicit accountant(std::map<void*, std::size_t>& book) : given(&book) {}
    template <class U>
    accountant(const accountant<U>& other) : given(other.given) {}
    T* allocate(std::size_t n) {
        T* const memory = std::allocator<T>().allocate(n);
        (*given)[memory] = n * sizeof(T);
        return memory;
    }
    void deallocate(T* memory, std::size_t n) {
        EXPECT_EQ((*given)[memory], n * sizeof(T));
        given->erase(memory);
        std::allocator<T>().deallocate(memory, n);
    }
    bool operator==(const accountant&) const = default;
    std::map<void*, std::size_t>* given;
};

TEST(allocated_arc, gives_back_to_its_allocator_what_it_took) {
    std::map<void*, std::size_t> book;
    const accountant<char> allocator(book);
    {
        auto number = allocate_arc<int>(allocator, 7);
        const auto copy = number;
        EXPECT_EQ(*copy, 7);
        const auto letter = allocate_arc<char>(allocator, 'x');
        const auto words = allocate_arc<std::string[]>(allocator, 3, "word");
        const auto numbers = allocate_arc<int[]>(allocator, 100);
        const auto raw = allocate_arc_for_overwrite<int[]>(allocator, 100);
        const auto one = allocate_arc_for_overwrite<double>(allocator);
        arc<shape, atomic_count, accountant<char>> base = allocate_arc<triangle>(allocator);
        const auto square = allocate_arc<aligned_square>(allocator);
        const auto local = allocate_arc<int, local_count>(allocator, 3);
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(square.get()) % 64, 0U);
        EXPECT_EQ(base->corners(), 3);
        EXPECT_EQ(words[2], "word");
        EXPECT_EQ(numbers[99], 0);
        EXPECT_EQ(book.size(), 9U);
        const weak_arc weak(number);
        number.reset();
        EXPECT_EQ(book.size(), 9U);
    }
    EXPECT_TRUE(book.empty());
    EXPECT_EQ(census::shapes, 0);
}

TEST(allocated_arc, loses_nothing_when_a_constructor_throws) {
    struct refuses {
        refuses() { throw 1; }
    };
    std::map<void*, std::size_t> book;
    const accountant<char> allocator(book);
    EXPECT_THROW(static_cast<void>(allocate_arc<refuses>(allocator)), int);
    EXPECT_THROW(static_cast<void>(allocate_arc<refuses[]>(allocator, 2)), int);
    EXPECT_TRUE(book.empty());
}

TEST(arc_to_shared_ptr, shares_the_block) {
    std::map<void*, std::size_t> book;
    const accountant<char> allocator(book);
    {
        auto number = allocate_arc<int>(allocator, 5);
        const shared_ptr<int> shared = number;
        EXPECT_EQ(book.size(), 1U) << "nothing more was allocated";
        EXPECT_EQ(shared.get(), number.get());
        EXPECT_EQ(shared.use_count(), 2);
        shared_ptr<const int> taken = std::move(number);
        EXPECT_EQ(number, nullptr);
        EXPECT_EQ(taken.use_count(), 2);
        const weak_ptr<const int> weak = taken;
        taken.reset();
        EXPECT_EQ(*weak.lock(), 5);
        const shared_ptr<std::string[]> words = allocate_arc<std::string[]>(allocator, 2, "word");
        EXPECT_EQ(words[1], "word");
    }
    EXPECT_TRUE(book.empty());
}

TEST(arc_to_shared_ptr, outlives_the_arc_whatever_it_owns) {
    {
        arc<shape> base = make_arc<triangle>();
        const weak_arc<shape> weak = base;
        shared_ptr<void> shared = shared_ptr<shape>(std::move(base));
        EXPECT_EQ(census::shapes, 1);
        EXPECT_EQ(weak.use_count(), 1);
        shared.reset();
        EXPECT_EQ(census::shapes, 0);
        EXPECT_TRUE(weak.expired());
    }
    const shared_ptr<int> none = arc<int>();
    EXPECT_EQ(none, nullptr);
    EXPECT_EQ(none.use_count(), 0);
    const arc<long, local_count> local = make_arc<long, local_count>(3);
    const shared_ptr<const long, local_count> first = local, second = local;
    EXPECT_EQ(local.use_count(), 3);
    EXPECT_FALSE((std::convertible_to<arc<const long>, shared_ptr<long>>));
}

struct self_aware : enable_shared_from_this<self_aware> {};

TEST(arc_to_shared_ptr, tells_the_object_of_its_owner) {
    const arc<self_aware> owner = make_arc<self_aware>();
    EXPECT_THROW(static_cast<void>(owner->shared_from_this()), std::bad_weak_ptr);
    const shared_ptr<self_aware> shared = owner;
    EXPECT_EQ(shared->shared_from_this(), shared);
}

}  // namespace
}  // namespace freehold::arc_conversions_test
