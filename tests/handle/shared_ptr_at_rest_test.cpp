// SPDX-License-Identifier: BSL-1.0
// As arc_at_rest_test.cpp, for shared_ptr: a handle that is released, or copied, after the last
// owner of its object has let go is found, as long as nobody else has got the memory.
#include <freehold/handle/shared_ptr.hpp>
#include <freehold/memory/pool.hpp>
#include <freehold/memory/pool_allocator.hpp>

#include "contracts/forgery.hpp"

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include <gtest/gtest.h>

namespace freehold {
namespace {

using contracts::forgery;

constexpr const char* found = contracts::found_at_rest;

struct plain_object {
    long words[8] = {};
};
struct shown_base {
    virtual ~shown_base() = default;
};
struct shown_derived final : shown_base {
    std::string text = "a text too long for its handle";
};
template <class Count>
struct self_aware : enable_shared_from_this<self_aware<Count>, Count> {
    long word = 0;
};

// Where the blocks come from: the process's own pools, or a pool of the user's.
template <class Count>
class the_common_pools {
public:
    using count = Count;
    template <class T>
    shared_ptr<T, Count> make() {
        return freehold::make_shared<T, Count>();
    }
    template <class T>
    shared_ptr<T, Count> own(T* given) {
        return shared_ptr<T, Count>(given);
    }
};

template <class Count>
class a_pool {
    using allocator = pool_allocator<plain_object>;

public:
    using count = Count;
    template <class T, class... Length>
    shared_ptr<T, Count> make(Length... length) {
        return freehold::allocate_shared<T, Count>(allocator(blocks_), length...);
    }
    template <class T>
    shared_ptr<T, Count> own(T* given) {
        return shared_ptr<T, Count>(given, std::default_delete<T>(), allocator(blocks_));
    }

private:
    static pool_options options() {
        pool_options chosen;
        chosen.block_size = shared_block_size<plain_object, allocator, Count>();
        chosen.alignment = shared_block_alignment<plain_object, allocator, Count>();
        return chosen;
    }
    pool blocks_{options()};
};

template <class Origin>
class shared_ptr_at_rest : public testing::Test {
protected:
    using count = typename Origin::count;
    using handle = shared_ptr<plain_object, count>;
    using weak = weak_ptr<plain_object, count>;

    void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }

    handle make() { return origin_.template make<plain_object>(); }

    Origin origin_;
};

using origins = testing::Types<the_common_pools<local_count>, the_common_pools<atomic_count>,
                               the_common_pools<biased_count>, a_pool<local_count>,
                               a_pool<atomic_count>, a_pool<biased_count>>;
TYPED_TEST_SUITE(shared_ptr_at_rest, origins);

TYPED_TEST(shared_ptr_at_rest, finds_a_second_release_of_the_only_handle) {
    const auto release_twice = [this] {
        auto only = this->make();
        forgery again(only);
        only.reset();
        (*again).reset();
    };
    EXPECT_DEATH(release_twice(), found);
}

TYPED_TEST(shared_ptr_at_rest, finds_a_destructor_that_runs_twice) {
    const auto destroy_twice = [this] {
        auto only = this->make();
        forgery once(only);
        forgery again(only);
        std::destroy_at(&*once);
        std::destroy_at(&*again);
    };
    EXPECT_DEATH(destroy_twice(), found);
}

TYPED_TEST(shared_ptr_at_rest, gives_no_owner_to_a_weak_handle_that_nobody_counts) {
    const auto lock_too_late = [this] {
        auto only = this->make();
        typename TestFixture::weak watching(only);
        forgery again(watching);
        watching.reset();
        only.reset();
        if ((*again).lock() != nullptr) return;
        std::fputs("nothing was given", stderr);
        std::abort();
    };
    EXPECT_DEATH(lock_too_late(), std::string(found) + "|nothing was given");
}

TYPED_TEST(shared_ptr_at_rest, finds_a_release_after_that_of_all_copies) {
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

TYPED_TEST(shared_ptr_at_rest, finds_the_owner_who_comes_last_when_another_released_twice) {
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

TYPED_TEST(shared_ptr_at_rest, finds_a_second_release_while_weak_references_keep_the_memory) {
    const auto release_twice = [this] {
        auto owner = this->make();
        const typename TestFixture::weak observer(owner);
        forgery again(owner);
        owner.reset();
        (*again).reset();
    };
    EXPECT_DEATH(release_twice(), found);
}

TYPED_TEST(shared_ptr_at_rest, finds_a_release_after_that_of_the_last_weak_reference) {
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

TYPED_TEST(shared_ptr_at_rest, finds_a_copy_of_a_handle_that_was_released) {
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

TYPED_TEST(shared_ptr_at_rest, finds_an_observer_of_a_handle_that_was_released) {
    const auto observe_after_release = [this] {
        auto original = this->make();
        forgery again(original);
        original.reset();
        const typename TestFixture::weak observer(*again);
    };
    EXPECT_DEATH(observe_after_release(), found);
    const auto copy_an_observer_after_its_release = [this] {
        auto owner = this->make();
        typename TestFixture::weak observer(owner);
        forgery again(observer);
        owner.reset();
        observer.reset();
        const typename TestFixture::weak copy(*again);
    };
    EXPECT_DEATH(copy_an_observer_after_its_release(), found);
}

TYPED_TEST(shared_ptr_at_rest, finds_a_second_release_by_handles_to_a_part_of_the_object) {
    const auto release_twice = [this](bool copied) {
        auto whole = this->make();
        shared_ptr<long, typename TestFixture::count> part(whole, &whole->words[3]);
        forgery again(part);
        whole.reset();
        part.reset();
        if (copied) {
            const auto copy = *again;
        } else {
            (*again).reset();
        }
    };
    EXPECT_DEATH(release_twice(false), found);
    EXPECT_DEATH(release_twice(true), found);
}

TYPED_TEST(shared_ptr_at_rest, finds_a_second_release_on_another_thread) {
    const auto release_twice = [this] {
        auto only = this->make();
        forgery again(only);
        std::thread([owner = std::move(only)]() mutable { owner.reset(); }).join();
        (*again).reset();
    };
    EXPECT_DEATH(release_twice(), found);
}

TYPED_TEST(shared_ptr_at_rest, finds_a_second_release_of_an_object_that_was_given_by_pointer) {
    const auto release_twice = [this] {
        auto only = this->origin_.own(new plain_object);
        forgery again(only);
        only.reset();
        (*again).reset();
    };
    EXPECT_DEATH(release_twice(), found);
}

TYPED_TEST(shared_ptr_at_rest, finds_a_second_release_of_objects_with_virtual_functions) {
    const auto release_twice = [this] {
        shared_ptr<shown_base, typename TestFixture::count> only =
            this->origin_.template make<shown_derived>();
        forgery again(only);
        only.reset();
        (*again).reset();
    };
    EXPECT_DEATH(release_twice(), found);
}

// The object's own weak reference lets go between the last owner and the memory.
TYPED_TEST(shared_ptr_at_rest, finds_a_second_release_of_objects_that_know_their_owners) {
    const auto release_twice = [this] {
        auto only = this->origin_.template make<self_aware<typename TestFixture::count>>();
        forgery again(only);
        only.reset();
        (*again).reset();
    };
    EXPECT_DEATH(release_twice(), found);
}

TYPED_TEST(shared_ptr_at_rest, makes_the_same_block_anew) {
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

// make_shared has arrays from operator new, which writes to what is free.
template <class Origin>
class shared_array_at_rest : public shared_ptr_at_rest<Origin> {};

using pools = testing::Types<a_pool<local_count>, a_pool<atomic_count>, a_pool<biased_count>>;
TYPED_TEST_SUITE(shared_array_at_rest, pools);

TYPED_TEST(shared_array_at_rest, finds_a_second_release) {
    const auto release_twice = [this] {
        auto only = this->origin_.template make<int[]>(3);
        forgery again(only);
        only.reset();
        (*again).reset();
    };
    EXPECT_DEATH(release_twice(), found);
}

}  // namespace
}  // namespace freehold
