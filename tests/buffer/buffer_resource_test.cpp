// SPDX-License-Identifier: BSL-1.0
// Adaptors of a buffer_cache: memory resource, allocator, and buffers with several owners.
#include <freehold/buffer/buffer_allocator.hpp>
#include <freehold/buffer/buffer_cache.hpp>
#include <freehold/buffer/buffer_resource.hpp>

#include "contracts/observed_resource.hpp"
#include "contracts/shared_memory_resource.hpp"

#include <cstddef>
#include <limits>
#include <list>
#include <memory>
#include <memory_resource>
#include <new>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace freehold::contracts {
namespace {

class subject_buffer_resource {
public:
    [[nodiscard]] std::pmr::memory_resource& resource() { return resource_; }
    void expect_nothing_lent() const { EXPECT_EQ(cache_.statistics().in_use, 0U); }

private:
    observed_resource upstream_;  // checks in its destructor that all memory was returned
    buffer_cache<> cache_{{.cutoff = 50'000, .upstream = &upstream_}};
    buffer_resource<buffer_cache<>> resource_{cache_};
};

using subjects = testing::Types<subject_buffer_resource>;
INSTANTIATE_TYPED_TEST_SUITE_P(buffers, memory_resource_contract, subjects);
INSTANTIATE_TYPED_TEST_SUITE_P(shared_buffers, shared_memory_resource_contract, subjects);

}  // namespace
}  // namespace freehold::contracts

namespace freehold {
namespace {

TEST(buffer_allocator, serves_containers) {
    buffer_cache<> cache;
    using allocator = buffer_allocator<int, buffer_cache<>>;
    for (int round = 0; round < 3; ++round) {
        std::vector<int, allocator> numbers{allocator(cache)};
        for (int i = 0; i < 10'000; ++i) numbers.push_back(i);
        EXPECT_EQ(numbers[9999], 9999);
        const std::list<int, allocator> copies(numbers.begin(), numbers.end(), allocator(cache));
        EXPECT_EQ(copies.back(), 9999);
    }
    EXPECT_EQ(cache.statistics().in_use, 0U);
    EXPECT_GT(cache.statistics().hit_rate(), 0.6);
}

TEST(buffer_allocator, compares_the_cache) {
    buffer_cache<> cache, other;
    const buffer_allocator<int, buffer_cache<>> one(cache), same(cache), another(other);
    EXPECT_TRUE(one == same);
    EXPECT_FALSE(one == another);
    EXPECT_TRUE((buffer_allocator<char, buffer_cache<>>(one) == one));
    buffer_allocator<int, buffer_cache<>> to_fail(cache);
    EXPECT_THROW(static_cast<void>(to_fail.allocate(std::numeric_limits<std::size_t>::max() / 2)),
                 std::bad_array_new_length);
}

TEST(shared_buffer, returns_one_buffer_with_its_last_owner) {
    buffer_cache<> cache;
    shared_buffer<buffer_cache<>> one = make_shared_buffer(cache, 1000);
    EXPECT_EQ(one.size(), 1000U);
    one[999] = std::byte{7};
    const std::byte* const place = one.get();
    EXPECT_EQ(cache.statistics().requests, 1U);
    {
        const auto other = one;
        one.reset();
        EXPECT_EQ(other[999], std::byte{7});
        EXPECT_EQ(cache.statistics().returns, 0U);
    }
    EXPECT_EQ(cache.statistics().returns, 1U);
    one = make_shared_buffer(cache, 1000);
    EXPECT_EQ(one.get(), place);
    std::thread([last = std::move(one)] {}).join();
    EXPECT_EQ(cache.statistics().remote_returns, 1U);
    EXPECT_EQ(make_shared_buffer(cache, 1000).get(), place);
}

TEST(shared_buffer, can_be_held_by_a_standard_shared_ptr) {
    buffer_cache<> cache;
    {
        const auto held = std::make_shared<buffer>(cache.get(100));
        const std::shared_ptr<std::byte> bytes(held, held->data());
        EXPECT_EQ(bytes.get(), held->data());
    }
    EXPECT_EQ(cache.statistics().returns, 1U);
}

}  // namespace
}  // namespace freehold
