// SPDX-License-Identifier: BSL-1.0
// The article's policies and their buckets, compared with figures worked out by hand.
#include <freehold/buffer/buffer_policies.hpp>

#include "contracts/policy_play.hpp"

#include <cstddef>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

namespace freehold::buffer_policies_test {
namespace {

template <class Policy>
using play = contracts::policy_play<Policy>;

// Returns new buffers of these capacities one after the other.
template <class Policy>
std::vector<buffer_block*> put_all(play<Policy>& buffers,
                                   const std::vector<std::size_t>& capacities) {
    std::vector<buffer_block*> put;
    for (const std::size_t each : capacities) {
        put.push_back(buffers.make(each));
        buffers.put(put.back());
    }
    return put;
}

TEST(keep_largest, serves_requests_that_its_entry_satisfies) {
    play<keep_largest> buffers;
    buffer_block* const first = buffers.get(1000);
    EXPECT_EQ(first->capacity, 1000U);
    buffers.put(first);
    EXPECT_NE(buffers.get(1001), first);
    EXPECT_EQ(buffers.get(1), first);
    EXPECT_EQ(buffers.hits(), 1U);
}

TEST(keep_largest, keeps_the_larger_and_of_equals_the_first) {
    play<keep_largest> buffers;
    const auto put = put_all(buffers, {300, 200, 300, 400});
    EXPECT_EQ(buffers.idle_bytes(), 400U);
    EXPECT_TRUE(buffers.is_idle(put[3]));

    play<keep_largest> others;
    const auto equals = put_all(others, {300, 300});
    EXPECT_TRUE(others.is_idle(equals[0]));
    EXPECT_FALSE(others.is_idle(equals[1]));
}

TEST(keep_largest, frees_the_smallest_and_hands_out_the_largest) {
    play<keep_largest> buffers({3});
    const auto put = put_all(buffers, {200, 400, 100, 300});
    EXPECT_EQ(buffers.idle_bytes(), 200U + 400U + 300U);
    EXPECT_EQ(buffers.get(50), put[1]);
    EXPECT_EQ(buffers.get(250), put[3]);
    EXPECT_NE(buffers.get(250), put[0]);
    EXPECT_EQ(buffers.get(150), put[0]);
}

// The article's third and fourth bad effect.
TEST(keep_largest, drops_a_large_buffer_only_for_a_larger_one) {
    play<keep_largest> buffers({10});
    put_all(buffers, std::vector<std::size_t>(10, 100'000));
    put_all(buffers, std::vector<std::size_t>(1000, 200));
    EXPECT_EQ(buffers.idle_bytes(), 10U * 100'000U);
    put_all(buffers, {100'001});
    EXPECT_EQ(buffers.idle_bytes(), 10U * 100'000U + 1U);
}

TEST(keep_largest, trims_the_smallest_first) {
    play<keep_largest> buffers({3});
    put_all(buffers, {200, 400, 300});
    buffers.trim(899);
    EXPECT_EQ(buffers.idle_bytes(), 700U);
    buffers.trim(699);
    EXPECT_EQ(buffers.idle_bytes(), 400U);
}

TEST(keep_first_below, keeps_no_buffer_above_the_cutoff) {
    play<keep_first_below> buffers;
    put_all(buffers, {201, 100'000});
    EXPECT_EQ(buffers.idle(), 0U);
    put_all(buffers, {200});
    EXPECT_EQ(buffers.idle_bytes(), 200U);
}

TEST(keep_first_below, frees_returned_buffers_when_full) {
    play<keep_first_below> buffers({500, 2});
    const auto put = put_all(buffers, {100, 200, 500, 50});
    EXPECT_EQ(buffers.idle_bytes(), 300U);
    EXPECT_EQ(buffers.get(60), put[1]);
    EXPECT_NE(buffers.get(150), put[0]);
    EXPECT_EQ(buffers.get(60), put[0]);
    EXPECT_EQ(buffers.hits(), 2U);
}

TEST(keep_first_below, trims_the_newest_first) {
    play<keep_first_below> buffers({500, 3});
    const auto put = put_all(buffers, {100, 500, 200});
    buffers.trim(600);
    EXPECT_TRUE(buffers.is_idle(put[0]));
    EXPECT_TRUE(buffers.is_idle(put[1]));
    EXPECT_FALSE(buffers.is_idle(put[2]));
}

TEST(linear_buckets, have_a_bucket_for_each_hundred_bytes) {
    play<linear_buckets> buffers({100, 4, 1000});
    const auto put = put_all(buffers, {99, 100, 199});
    EXPECT_NE(buffers.get(200), put[2]);
    EXPECT_EQ(buffers.get(150), put[2]);
    EXPECT_EQ(buffers.get(1), put[0]);
    EXPECT_NE(buffers.get(50), put[1]);
    EXPECT_NE(buffers.get(101), put[1]);
    EXPECT_EQ(buffers.get(100), put[1]);
}

TEST(linear_buckets, waste_less_than_their_width) {
    play<linear_buckets> buffers({64, 4, 4096});
    for (std::size_t size = 1; size < 4096; size += 7) put_all(buffers, {size});
    for (std::size_t size = 1; size < 4096; size += 11) {
        EXPECT_LT(buffers.get(size)->capacity, size + 64);
    }
    EXPECT_GT(buffers.hits(), 100U);
}

TEST(linear_buckets, bound_each_bucket_and_the_size) {
    play<linear_buckets> buffers({100, 2, 1000});
    put_all(buffers, {110, 120, 130, 1000, 1001});
    EXPECT_EQ(buffers.idle_bytes(), 110U + 120U + 1000U);
    buffers.trim(300);
    EXPECT_EQ(buffers.idle_bytes(), 230U);
    buffers.trim(200);
    EXPECT_EQ(buffers.idle_bytes(), 120U);
}

TEST(linear_buckets, refuse_a_width_of_0) {
    EXPECT_THROW(linear_buckets({0, 4, 1000}), std::invalid_argument);
}

// 64 < a <= 80 < b <= 96 < c <= 112 < d <= 128.
TEST(geometric_buckets, divide_each_power_of_two_evenly) {
    play<geometric_buckets> buffers({4, 4, 4096});
    const auto put = put_all(buffers, {80, 96, 112, 128});
    EXPECT_NE(buffers.get(64), put[0]);
    EXPECT_NE(buffers.get(129), put[3]);
    EXPECT_EQ(buffers.hits(), 0U);
    EXPECT_EQ(buffers.get(65), put[0]);
    EXPECT_EQ(buffers.get(81), put[1]);
    EXPECT_EQ(buffers.get(97), put[2]);
    EXPECT_EQ(buffers.get(113), put[3]);
}

TEST(geometric_buckets, waste_at_most_their_share) {
    for (const std::size_t per_doubling : {1, 3, 4, 8, 16}) {
        play<geometric_buckets> buffers({per_doubling, 8, 8192});
        for (std::size_t size = 1; size <= 8192; size += 3) put_all(buffers, {size});
        for (std::size_t size = 64; size <= 8192; size += 5) {
            EXPECT_LE((buffers.get(size)->capacity - size) * per_doubling, size);
        }
        EXPECT_GT(buffers.hits(), 0U);
    }
}

TEST(geometric_buckets, refuse_0_and_too_many_buckets) {
    EXPECT_THROW(geometric_buckets({0, 4, 4096}), std::invalid_argument);
    EXPECT_THROW(geometric_buckets({1025, 4, 4096}), std::invalid_argument);
    EXPECT_THROW(geometric_buckets({4, 4, (std::size_t{1} << 48) + 1}), std::invalid_argument);
}

TEST(power_of_two_buckets, have_a_bucket_for_each_power_of_two) {
    play<power_of_two_buckets> buffers({2, 4096});
    const auto put = put_all(buffers, {128, 65, 127, 4096, 4097, 1, 2});
    EXPECT_EQ(buffers.idle_bytes(), 128U + 65U + 4096U + 3U);
    EXPECT_NE(buffers.get(64), put[1]);
    EXPECT_EQ(buffers.get(66), put[0]);
    EXPECT_EQ(buffers.get(65), put[1]);
    EXPECT_EQ(buffers.get(2049), put[3]);
    EXPECT_EQ(buffers.get(2), put[6]);
    EXPECT_EQ(buffers.get(1), put[5]);
}

TEST(article_policies, give_new_buffers_the_requested_size) {
    for (const std::size_t size : {1, 99, 100, 1000, 1'000'000}) {
        EXPECT_EQ(keep_largest({}).capacity_for(size), size);
        EXPECT_EQ(keep_first_below({}).capacity_for(size), size);
        EXPECT_EQ(linear_buckets({}).capacity_for(size), size);
        EXPECT_EQ(geometric_buckets({}).capacity_for(size), size);
        EXPECT_EQ(power_of_two_buckets({}).capacity_for(size), size);
    }
}

}  // namespace
}  // namespace freehold::buffer_policies_test
