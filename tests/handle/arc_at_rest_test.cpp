// SPDX-License-Identifier: BSL-1.0
// A handle that is released, or copied, after the last owner of its object has let go is found, as
// long as nobody else has got the memory. A pool leaves free blocks as they are, and mapped; where
// a sanitizer watches free memory, it may be the one that finds it.
#include <freehold/handle/arc.hpp>
#include <freehold/memory/pool.hpp>
#include <freehold/memory/pool_allocator.hpp>

#include "contracts/forgery.hpp"

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <thread>
#include <utility>

#include <gtest/gtest.h>

namespace freehold {
namespace {

using contracts::forgery;

constexpr const char* found = contracts::found_at_rest;

struct pooled_object {
    long words[8] = {};
};
struct pooled_base {
    virtual ~pooled_base() = default;
};
struct pooled_derived final : pooled_base {
    std::string text = "a text too long for its handle";
};

template <class Count>
class arc_at_rest : public testing::Test {
protected:
    using handle = arc<pooled_object, Count, pool_allocator<pooled_object>>;
    using weak = weak_arc<pooled_object, Count, pool_allocator<pooled_object>>;

    void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }

    handle make() { return allocate_arc<pooled_object, Count>(allocator()); }
    pool_allocator<pooled_object> allocator() { return blocks_; }

private:
    static pool_options options() {
        pool_options chosen;
        chosen.block_size = handle::block_size();
        chosen.alignment = handle::block_alignment();
        return chosen;
    }
    pool blocks_{options()};
};

using counts = testing::Types<local_count, atomic_count, biased_count>;
TYPED_TEST_SUITE(arc_at_rest, counts);

TYPED_TEST(arc_at_rest, finds_a_second_release_of_the_only_handle) {
    const auto release_twice = [this] {
        auto only = this->make();
        forgery again(only);
        only.reset();
        (*again).reset();
    };
    EXPECT_DEATH(release_twice(), found);
}

TYPED_TEST(arc_at_rest, finds_a_release_after_that_of_all_copies) {
    const auto release_once_too_often = [this] {
        auto first = this->make();
        auto second = first;
        forgery again(first);
        second.reset();
        first.reset();
        (*again).reset();
    };
    EXPECT_DEATH(release_once_too_often(), found);
}

TYPED_TEST(arc_at_rest, finds_the_owner_who_comes_last_when_another_released_twice) {
    const auto release_twice = [this] {
        auto first = this->make();
        auto second = first;
        forgery again(first);
        first.reset();
        (*again).reset();
        second.reset();
    };
    EXPECT_DEATH(release_twice(), found);
}

TYPED_TEST(arc_at_rest, finds_a_second_release_while_weak_references_keep_the_memory) {
    const auto release_twice = [this] {
        auto owner = this->make();
        const typename TestFixture::weak observer(owner);
        forgery again(owner);
        owner.reset();
        (*again).reset();
    };
    EXPECT_DEATH(release_twice(), found);
}

TYPED_TEST(arc_at_rest, finds_a_release_after_that_of_the_last_weak_reference) {
    const auto release_once_too_often = [this](bool of_weak) {
        auto owner = this->make();
        typename TestFixture::weak observer(owner);
        forgery again(owner);
        forgery observer_again(observer);
        owner.reset();
        observer.reset();
        if (of_weak) {
            (*observer_again).reset();
        } else {
            (*again).reset();
        }
    };
    EXPECT_DEATH(release_once_too_often(false), found);
    EXPECT_DEATH(release_once_too_often(true), found);
}

TYPED_TEST(arc_at_rest, finds_a_copy_of_a_handle_that_was_released) {
    const auto copy_after_release = [this](bool shared) {
        auto original = this->make();
        if (shared) static_cast<void>(typename TestFixture::handle(original));
        forgery again(original);
        original.reset();
        const typename TestFixture::handle copy(*again);
    };
    EXPECT_DEATH(copy_after_release(false), found);
    EXPECT_DEATH(copy_after_release(true), found);
}

TYPED_TEST(arc_at_rest, finds_a_second_release_on_another_thread) {
    const auto release_twice = [this] {
        auto only = this->make();
        forgery again(only);
        std::thread([owner = std::move(only)]() mutable { owner.reset(); }).join();
        (*again).reset();
    };
    EXPECT_DEATH(release_twice(), found);
}

TYPED_TEST(arc_at_rest, finds_a_second_release_by_a_shared_ptr) {
    const auto release_twice = [this](bool shared_first) {
        auto only = this->make();
        forgery again(only);
        shared_ptr<pooled_object, TypeParam> converted(std::move(only));
        forgery converted_again(converted);
        converted.reset();
        if (shared_first) {
            (*converted_again).reset();
        } else {
            (*again).reset();
        }
    };
    EXPECT_DEATH(release_twice(false), found);
    EXPECT_DEATH(release_twice(true), found);
}

TYPED_TEST(arc_at_rest, finds_a_second_release_of_a_burst) {
    const auto release_twice = [this](int copies) {
        std::array<typename TestFixture::handle, 4> burst;
        burst[1] = this->make();
        for (int i = 0; i < copies; ++i) burst[static_cast<std::size_t>(2 + i)] = burst[1];
        forgery again(burst);
        release(std::span(burst));
        release(std::span(*again));
    };
    EXPECT_DEATH(release_twice(0), found);
    EXPECT_DEATH(release_twice(1), found);
    EXPECT_DEATH(release_twice(2), found);
}

TYPED_TEST(arc_at_rest, finds_a_second_release_of_arrays_and_of_objects_with_virtual_functions) {
    const auto release_array_twice = [this] {
        auto only = allocate_arc<int[], TypeParam>(this->allocator(), 3);
        forgery again(only);
        only.reset();
        (*again).reset();
    };
    EXPECT_DEATH(release_array_twice(), found);
    const auto release_base_twice = [this] {
        arc<pooled_base, TypeParam, pool_allocator<pooled_object>> only =
            allocate_arc<pooled_derived, TypeParam>(this->allocator());
        forgery again(only);
        only.reset();
        (*again).reset();
    };
    EXPECT_DEATH(release_base_twice(), found);
}

TYPED_TEST(arc_at_rest, finds_a_second_release_of_what_make_arc_made) {
    const auto release_twice = [] {
        auto only = make_arc<pooled_object, TypeParam>();
        forgery again(only);
        only.reset();
        (*again).reset();
    };
    EXPECT_DEATH(release_twice(), found);
}

TYPED_TEST(arc_at_rest, makes_the_same_block_anew) {
    for (int i = 0; i < 1000; ++i) {
        auto made = this->make();
        ASSERT_TRUE(made.unique());
        const auto copy = i % 2 == 0 ? made : nullptr;
        const typename TestFixture::weak observer(i % 3 == 0 ? made : nullptr);
        ASSERT_EQ(made.use_count(), i % 2 == 0 ? 2 : 1);
        made.reset();
        ASSERT_EQ(observer.expired(), i % 6 != 0);
    }
}

}  // namespace
}  // namespace freehold
