// SPDX-License-Identifier: BSL-1.0
// Shared objects whose allocator is a std::pmr one over a pool: an object and its counts are one
// block of it, and nothing is lost when the upstream fails at any call.
#include <freehold/count/biased_count.hpp>
#include <freehold/handle/shared_ptr.hpp>
#include <freehold/memory/pool_resource.hpp>

#include "contracts/marked_memory.hpp"
#include "contracts/observed_resource.hpp"
#include "contracts/use_pool.hpp"

#include <array>
#include <cstddef>
#include <memory>
#include <memory_resource>
#include <new>
#include <set>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace freehold::pool_resource_handles_test {
namespace {

template <class T>
using allocator_of = std::pmr::polymorphic_allocator<std::remove_extent_t<T>>;

struct by_std {
    template <class T>
    using handle = std::shared_ptr<T>;
    template <class T>
    using weak = std::weak_ptr<T>;
    template <class T, class... Args>
    static handle<T> make(pool_resource& from, Args&&... args) {
        return std::allocate_shared<T>(allocator_of<T>(&from), std::forward<Args>(args)...);
    }
};

template <class Count>
struct by_freehold {
    template <class T>
    using handle = shared_ptr<T, Count>;
    template <class T>
    using weak = weak_ptr<T, Count>;
    template <class T, class... Args>
    static handle<T> make(pool_resource& from, Args&&... args) {
        return freehold::allocate_shared<T, Count>(allocator_of<T>(&from),
                                                   std::forward<Args>(args)...);
    }
};

// Asks for more alignment than its counts do.
struct alignas(32) packet {
    explicit packet(int& count) : alive(count) {
        ++alive;
        contracts::mark(payload.data(), payload.size());
    }
    packet(const packet&) = delete;
    packet& operator=(const packet&) = delete;
    ~packet() {
        --alive;
        EXPECT_TRUE(contracts::is_marked(payload.data(), payload.size()));
    }
    int& alive;
    std::array<std::byte, 40> payload;
};

struct large_packet : packet {
    using packet::packet;
    std::array<std::byte, 1000> more = {};
};

// Has elements from the resource that it stands in itself.
struct row {
    using allocator_type = std::pmr::polymorphic_allocator<int>;
    row(int& count, std::size_t length, const allocator_type& from)
        : alive(count), elements(length, 7, from) {
        ++alive;
    }
    row(const row&) = delete;
    row& operator=(const row&) = delete;
    ~row() { --alive; }
    int& alive;
    std::pmr::vector<int> elements;
};

constexpr std::size_t block_size = 128;
constexpr std::size_t growth = 4;

static_assert(shared_block_size<packet, allocator_of<packet>, biased_count>() <= block_size);

template <class Library>
class shared_objects_over_a_pool_resource : public testing::Test {
protected:
    // Who forgets the resource that it was given gets nothing from any other.
    void SetUp() override { std::pmr::set_default_resource(std::pmr::null_memory_resource()); }
    void TearDown() override {
        std::pmr::set_default_resource(nullptr);
        expect_all_back(pool_);
    }

    static pool_options options(std::pmr::memory_resource* upstream) {
        pool_options asked;
        asked.block_size = block_size;
        asked.alignment = alignof(packet);
        asked.growth = growth;
        asked.magazine_size = 4;
        asked.upstream = upstream;
        return asked;
    }

    // The upstream has lent what the pool consists of, and nothing else.
    void expect_all_back(const pool& unused) {
        contracts::expect_conserved(unused, 0);
        EXPECT_EQ(upstream_.pieces_lent(), unused.statistics().capacity / growth);
    }

    template <class T, class... Args>
    typename Library::template handle<T> make(Args&&... args) {
        return Library::template make<T>(resource_, std::forward<Args>(args)...);
    }

    contracts::observed_resource upstream_;
    pool pool_{options(&upstream_)};
    pool_resource resource_{pool_};
};

using libraries = testing::Types<by_std, by_freehold<local_count>, by_freehold<atomic_count>,
                                 by_freehold<biased_count>>;
TYPED_TEST_SUITE(shared_objects_over_a_pool_resource, libraries);

TYPED_TEST(shared_objects_over_a_pool_resource, are_one_block_each_with_their_counts) {
    int alive = 0;
    std::vector<typename TypeParam::template handle<packet>> owners;
    std::set<const packet*> places;
    for (std::size_t i = 1; i <= 50; ++i) {
        owners.push_back(this->template make<packet>(alive));
        const packet* const place = owners.back().get();
        places.insert(place);
        EXPECT_TRUE(contracts::is_aligned(place, alignof(packet)));
        EXPECT_TRUE(this->pool_.owns(place));
        EXPECT_EQ(this->pool_.statistics().in_use, i);
    }
    EXPECT_EQ(places.size(), 50U);
    EXPECT_EQ(this->upstream_.pieces_lent(), this->pool_.statistics().capacity / growth)
        << "all is in blocks";
    const auto copies = owners;
    EXPECT_EQ(this->pool_.statistics().allocations, 50U);
    owners.clear();
    EXPECT_EQ(alive, 50);
    EXPECT_EQ(this->pool_.statistics().in_use, 50U);
}

TYPED_TEST(shared_objects_over_a_pool_resource, give_their_blocks_back_to_be_used_again) {
    int alive = 0;
    for (int i = 0; i < 100; ++i) {
        const auto owner = this->template make<packet>(alive);
        EXPECT_EQ(alive, 1);
        EXPECT_EQ(this->pool_.statistics().in_use, 1U);
    }
    EXPECT_EQ(alive, 0);
    EXPECT_EQ(this->pool_.statistics().frees, 100U);
    EXPECT_EQ(this->pool_.statistics().capacity, growth);
}

TYPED_TEST(shared_objects_over_a_pool_resource, keep_their_blocks_while_weak_pointers_are_left) {
    int alive = 0;
    auto owner = this->template make<packet>(alive);
    typename TypeParam::template weak<packet> observer(owner);
    owner.reset();
    EXPECT_EQ(alive, 0);
    EXPECT_TRUE(observer.expired());
    EXPECT_EQ(this->pool_.statistics().in_use, 1U);
    observer.reset();
    EXPECT_EQ(this->pool_.statistics().in_use, 0U);
}

TYPED_TEST(shared_objects_over_a_pool_resource, come_from_the_upstream_if_they_do_not_fit) {
    int alive = 0;
    const auto owner = this->template make<large_packet>(alive);
    EXPECT_TRUE(contracts::is_aligned(owner.get(), alignof(large_packet)));
    EXPECT_FALSE(this->pool_.owns(owner.get()));
    EXPECT_TRUE(this->upstream_.has_lent(owner.get()));
    EXPECT_EQ(this->pool_.statistics().capacity, 0U);
    EXPECT_EQ(this->upstream_.pieces_lent(), 1U);
}

#if __cpp_lib_shared_ptr_arrays >= 201707L
TYPED_TEST(shared_objects_over_a_pool_resource, may_be_arrays_of_any_length) {
    const auto fitting = this->template make<long[]>(std::size_t{5}, 3L);
    EXPECT_TRUE(this->pool_.owns(&fitting[4]));
    EXPECT_EQ(this->pool_.statistics().in_use, 1U);
    const auto longer = this->template make<long[]>(std::size_t{500}, 3L);
    EXPECT_TRUE(this->upstream_.has_lent(&longer[499]));
    EXPECT_FALSE(this->pool_.owns(&longer[499]));
    EXPECT_EQ(fitting[4] + longer[499], 6);
}
#endif

TYPED_TEST(shared_objects_over_a_pool_resource, hand_the_resource_on_to_what_they_hold) {
    int alive = 0;
    const auto owner = this->template make<row>(alive, std::size_t{20});
    EXPECT_EQ(owner->elements.get_allocator().resource(), &this->resource_);
    EXPECT_TRUE(this->pool_.owns(owner->elements.data()));
    EXPECT_EQ(this->pool_.statistics().in_use, 2U);
}

TYPED_TEST(shared_objects_over_a_pool_resource, lose_nothing_when_the_upstream_fails_at_any_call) {
    contracts::observed_resource upstream;
    bool failed = true;
    long k = 1;
    for (; failed; ++k) {
        ASSERT_LT(k, 200);
        upstream.fail_from(k);
        {
            pool tested(this->options(&upstream));
            pool_resource resource(tested);
            int alive = 0;
            std::vector<typename TypeParam::template handle<void>> owners;
            std::size_t in_blocks = 0;
            try {
                for (int i = 0; i < 10; ++i) {
                    owners.push_back(TypeParam::template make<packet>(resource, alive));
                    ++in_blocks;
                    // Its elements do not fit: the upstream also fails within a constructor.
                    owners.push_back(
                        TypeParam::template make<row>(resource, alive, std::size_t{100}));
                    ++in_blocks;
                    owners.push_back(TypeParam::template make<large_packet>(resource, alive));
                }
            } catch (const std::bad_alloc&) {
                EXPECT_GT(upstream.failures(), 0);
            }
            failed = upstream.failures() > 0;
            EXPECT_EQ(owners.size() < 30, failed);
            EXPECT_EQ(static_cast<std::size_t>(alive), owners.size()) << "call " << k;
            contracts::expect_conserved(tested, in_blocks);

            owners.clear();
            EXPECT_EQ(alive, 0);
            contracts::expect_conserved(tested, 0);
            EXPECT_EQ(upstream.pieces_lent(), tested.statistics().capacity / growth);

            // The failure is not for good.
            upstream.fail_from(0);
            EXPECT_TRUE(TypeParam::template make<packet>(resource, alive));
        }
        EXPECT_EQ(upstream.pieces_lent(), 0U) << "call " << k;
    }
    EXPECT_GT(k, 20) << "each large packet and each row is a call";
}

TYPED_TEST(shared_objects_over_a_pool_resource, leave_an_object_to_its_deleter_if_counts_fail) {
    const auto own = [this](int* given, int& deleted) {
        const auto count = [&deleted](const int* doomed) {
            ++deleted;
            delete doomed;
        };
        using handle = typename TypeParam::template handle<int>;
        return handle(given, count, std::pmr::polymorphic_allocator<int>(&this->resource_));
    };
    int deleted = 0;
    this->upstream_.fail_from(1);
    EXPECT_THROW(own(new int(1), deleted), std::bad_alloc);
    EXPECT_EQ(deleted, 1);
    this->upstream_.fail_from(0);
    {
        const auto owner = own(new int(2), deleted);
        EXPECT_EQ(this->pool_.statistics().in_use, 1U);
    }
    EXPECT_EQ(deleted, 2);
}

}  // namespace
}  // namespace freehold::pool_resource_handles_test
