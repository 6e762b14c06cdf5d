// SPDX-License-Identifier: BSL-1.0
// A shared_ptr's mistakes that are found, and those of what shared_ptrs alone can be: handles to a
// part, owners of what was given by pointer, and of what knows its owners.
#include <freehold/count/biased_count.hpp>
#include <freehold/handle/shared_ptr.hpp>
#include <freehold/memory/pool.hpp>
#include <freehold/memory/pool_allocator.hpp>

#include "contracts/handle_at_rest.hpp"

#include <memory>
#include <string>

#include <gtest/gtest.h>

namespace freehold::contracts::shared_ptr_at_rest_test {
namespace {

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

template <class Count>
struct made_by_shared_ptr {
    using count = Count;
    using handle = shared_ptr<plain_object, Count>;
    using weak = weak_ptr<plain_object, Count>;
};

// Where the blocks come from: the process's own pools, or a pool of the user's.
template <class Count>
struct shared_in_the_common_pools : made_by_shared_ptr<Count> {
    static shared_ptr<plain_object, Count> make() { return make<plain_object>(); }
    template <class T>
    static shared_ptr<T, Count> make() {
        return freehold::make_shared<T, Count>();
    }
    template <class T>
    static shared_ptr<T, Count> own(T* given) {
        return shared_ptr<T, Count>(given);
    }
};

template <class Count>
class shared_in_a_pool : public made_by_shared_ptr<Count> {
    using allocator = pool_allocator<plain_object>;

public:
    shared_ptr<plain_object, Count> make() { return make<plain_object>(); }
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

// In a pool of the user's, one count is enough: pools are the same for all.
using subjects =
    testing::Types<shared_in_the_common_pools<local_count>,
                   shared_in_the_common_pools<atomic_count>,
                   shared_in_the_common_pools<biased_count>, shared_in_a_pool<atomic_count>>;
INSTANTIATE_TYPED_TEST_SUITE_P(shared_ptr, handle_at_rest, subjects);

template <class Subject>
class shared_ptr_at_rest : public handle_at_rest<Subject> {
protected:
    using count = typename Subject::count;
};
TYPED_TEST_SUITE(shared_ptr_at_rest, subjects);

TYPED_TEST(shared_ptr_at_rest, is_found_by_handles_to_a_part_of_the_object) {
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
    EXPECT_DEATH(release_twice(false), found_at_rest);
    EXPECT_DEATH(release_twice(true), found_at_rest);
}

TYPED_TEST(shared_ptr_at_rest, is_found_to_an_object_that_was_given_by_pointer) {
    expect_second_release_found([this] { return this->subject_.own(new plain_object); });
}

TYPED_TEST(shared_ptr_at_rest, is_found_to_an_object_with_virtual_functions) {
    expect_second_release_found([this] {
        return shared_ptr<shown_base, typename TestFixture::count>(
            this->subject_.template make<shown_derived>());
    });
}

// The object's own weak reference lets go between the last owner and the memory.
TYPED_TEST(shared_ptr_at_rest, is_found_to_an_object_that_knows_its_owners) {
    expect_second_release_found(
        [this] { return this->subject_.template make<self_aware<typename TestFixture::count>>(); });
}

// make_shared has arrays from operator new, which writes to what is free.
template <class Subject>
class shared_array_at_rest : public handle_at_rest<Subject> {};

using pools = testing::Types<shared_in_a_pool<local_count>, shared_in_a_pool<atomic_count>,
                             shared_in_a_pool<biased_count>>;
TYPED_TEST_SUITE(shared_array_at_rest, pools);

TYPED_TEST(shared_array_at_rest, is_found_at_a_second_release) {
    expect_second_release_found([this] { return this->subject_.template make<int[]>(3); });
}

}  // namespace
}  // namespace freehold::contracts::shared_ptr_at_rest_test
