// SPDX-License-Identifier: BSL-1.0
// An arc's mistakes that are found, and those of what arcs alone can be: bursts, and a shared_ptr.
#include <freehold/count/biased_count.hpp>
#include <freehold/handle/arc.hpp>
#include <freehold/memory/pool.hpp>
#include <freehold/memory/pool_allocator.hpp>

#include "contracts/handle_at_rest.hpp"

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <utility>

#include <gtest/gtest.h>

namespace freehold::contracts::arc_at_rest_test {
namespace {

struct pooled_object {
    long words[8] = {};
};
struct pooled_base {
    virtual ~pooled_base() = default;
};
struct pooled_derived final : pooled_base {
    std::string text = "a text too long for its handle";
};

// Where the blocks come from: the process's own pools, or a pool of the user's.
struct arcs_in_the_common_pools {
    using handle = arc<pooled_object>;
    using weak = weak_arc<pooled_object>;

    static handle make() { return make_arc<pooled_object>(); }
};

template <class Count>
class arcs_in_a_pool {
public:
    using count = Count;
    using allocator = pool_allocator<pooled_object>;
    using handle = arc<pooled_object, Count, allocator>;
    using weak = weak_arc<pooled_object, Count, allocator>;

    handle make() { return make<pooled_object>(); }
    template <class T, class... Length>
    arc<T, Count, allocator> make(Length... length) {
        return allocate_arc<T, Count>(allocator(blocks_), length...);
    }

private:
    static pool_options options() {
        pool_options chosen;
        chosen.block_size = handle::block_size();
        chosen.alignment = handle::block_alignment();
        return chosen;
    }
    pool blocks_{options()};
};

using pools = testing::Types<arcs_in_a_pool<local_count>, arcs_in_a_pool<atomic_count>,
                             arcs_in_a_pool<biased_count>>;
INSTANTIATE_TYPED_TEST_SUITE_P(arc_in_a_pool, handle_at_rest, pools);
// One count is enough: the common pools are the same for all.
INSTANTIATE_TYPED_TEST_SUITE_P(arc_in_the_common_pools, handle_at_rest, arcs_in_the_common_pools);

template <class Subject>
class arc_at_rest : public handle_at_rest<Subject> {
protected:
    using count = typename Subject::count;
    using allocator = typename Subject::allocator;
};
TYPED_TEST_SUITE(arc_at_rest, pools);

TYPED_TEST(arc_at_rest, is_found_by_a_shared_ptr) {
    const auto release_twice = [this](bool shared_first) {
        auto only = this->make();
        forgery again(only);
        shared_ptr<pooled_object, typename TestFixture::count> converted(std::move(only));
        forgery converted_again(converted);
        converted.reset();
        if (shared_first) {
            (*converted_again).reset();
        } else {
            (*again).reset();
        }
    };
    EXPECT_DEATH(release_twice(false), found_at_rest);
    EXPECT_DEATH(release_twice(true), found_at_rest);
}

TYPED_TEST(arc_at_rest, is_found_in_a_burst) {
    const auto release_twice = [this](int copies) {
        std::array<typename TestFixture::handle, 4> burst;
        burst[1] = this->make();
        for (int i = 0; i < copies; ++i) burst[static_cast<std::size_t>(2 + i)] = burst[1];
        forgery again(burst);
        release(std::span(burst));
        release(std::span(*again));
    };
    EXPECT_DEATH(release_twice(0), found_at_rest);
    EXPECT_DEATH(release_twice(1), found_at_rest);
    EXPECT_DEATH(release_twice(2), found_at_rest);
}

TYPED_TEST(arc_at_rest, is_found_to_arrays_and_to_objects_with_virtual_functions) {
    expect_second_release_found([this] { return this->subject_.template make<int[]>(3); });
    expect_second_release_found([this] {
        return arc<pooled_base, typename TestFixture::count, typename TestFixture::allocator>(
            this->subject_.template make<pooled_derived>());
    });
}

}  // namespace
}  // namespace freehold::contracts::arc_at_rest_test
