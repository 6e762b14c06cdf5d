// SPDX-License-Identifier: BSL-1.0
// The rules of known pools, compared with figures worked out by hand.
#include "contracts/policy_play.hpp"
#include "reimplemented/pools.hpp"

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

namespace freehold::reimplemented::reimplemented_test {
namespace {

using block = buffer_block;
template <class Policy>
using play = contracts::policy_play<Policy>;

// Returns this many new buffers of a size.
template <class Policy>
std::vector<block*> put_new(play<Policy>& buffers, std::size_t count, std::size_t size,
                            std::uint32_t thread = 0) {
    std::vector<block*> put;
    for (std::size_t i = 0; i < count; ++i) {
        put.push_back(buffers.make(buffers.policy().capacity_for(size)));
        buffers.put(put.back(), thread);
    }
    return put;
}

dotnet_array_pool::options two_processors_with_two() {
    dotnet_array_pool::options options;
    options.processors = 2;
    options.stack_entries = 2;
    return options;
}

TEST(dotnet_array_pool, rounds_up_to_powers_of_two) {
    const dotnet_array_pool pool({});
    EXPECT_EQ(pool.capacity_for(1), 16U);
    EXPECT_EQ(pool.capacity_for(16), 16U);
    EXPECT_EQ(pool.capacity_for(17), 32U);
    EXPECT_EQ(pool.capacity_for(100), 128U);
    constexpr std::size_t gibibyte = std::size_t{1} << 30;
    EXPECT_EQ(pool.capacity_for(gibibyte), gibibyte);
    EXPECT_EQ(pool.capacity_for(gibibyte + 1), gibibyte + 1);
}

TEST(dotnet_array_pool, keeps_one_per_thread_and_a_stack_per_processor) {
    play<dotnet_array_pool> buffers(two_processors_with_two());
    // Thread 0's slot has the last buffer. The first two are in processor 0's stack, the next two
    // in processor 1's. The fifth was dropped.
    const auto put = put_new(buffers, 6, 100);
    EXPECT_EQ(buffers.idle_bytes(), 5U * 128U);
    EXPECT_FALSE(buffers.is_idle(put[4]));
    EXPECT_EQ(buffers.get(128), put[5]);
    EXPECT_EQ(buffers.get(128), put[1]);
    EXPECT_EQ(buffers.get(65), put[0]);
    EXPECT_EQ(buffers.get(65), put[3]);
    EXPECT_EQ(buffers.get(65), put[2]);
    EXPECT_EQ(buffers.hits(), 5U);
}

TEST(dotnet_array_pool, takes_from_its_slot_and_all_stacks) {
    play<dotnet_array_pool> buffers(two_processors_with_two());
    const auto put = put_new(buffers, 5, 100);
    // Thread 1 is on processor 1.
    EXPECT_EQ(buffers.get(100, 16, 1), put[3]);
    EXPECT_EQ(buffers.get(100, 16, 1), put[2]);
    EXPECT_EQ(buffers.get(100, 16, 1), put[1]);
    EXPECT_EQ(buffers.get(100, 16, 1), put[0]);
    EXPECT_NE(buffers.get(100, 16, 1), put[4]);
    EXPECT_EQ(buffers.get(100, 16, 0), put[4]);
}

TEST(dotnet_array_pool, fills_the_stack_of_the_thread_s_processor_first) {
    play<dotnet_array_pool> buffers(two_processors_with_two());
    const auto by_thread_1 = put_new(buffers, 2, 100, 1);
    const auto by_thread_0 = put_new(buffers, 2, 100, 0);
    // Thread 2 is on processor 0.
    EXPECT_EQ(buffers.get(100, 16, 2), by_thread_0[0]);
    EXPECT_EQ(buffers.get(100, 16, 2), by_thread_1[0]);
    EXPECT_EQ(buffers.idle(), 2U);
}

TEST(dotnet_array_pool, trims_a_slot_seen_for_thirty_seconds) {
    play<dotnet_array_pool> buffers(two_processors_with_two());
    buffers.now = 5 * buffers.second;
    const block* const unused = put_new(buffers, 1, 100)[0];
    const auto trims_at = [&](std::uint64_t seconds) {
        buffers.now = seconds * buffers.second;
        put_new(buffers, 1, 4096, 1);
    };
    trims_at(10);
    trims_at(20);
    trims_at(39);
    EXPECT_TRUE(buffers.is_idle(const_cast<block*>(unused)));
    trims_at(49);
    EXPECT_FALSE(buffers.is_idle(const_cast<block*>(unused)));
}

TEST(dotnet_array_pool, trims_stacks_after_a_minute_and_every_fifteen_seconds) {
    dotnet_array_pool::options options;
    options.processors = 1;
    play<dotnet_array_pool> buffers(options);
    buffers.now = 5 * buffers.second;
    // Three are in the stack. The fourth, in the slot, is taken.
    auto put = put_new(buffers, 4, 100);
    EXPECT_EQ(buffers.get(100), put[3]);
    const auto left_at = [&](std::uint64_t seconds) {
        buffers.now = seconds * buffers.second;
        buffers.put(buffers.get(1 << 20, 16, 1), 1);
        return buffers.idle() - 1;
    };
    EXPECT_EQ(left_at(10), 3U);
    EXPECT_EQ(left_at(70), 3U);  // exactly a minute
    EXPECT_EQ(left_at(81), 2U);
    EXPECT_EQ(left_at(91), 1U);  // as if it had been seen at 25 first
    EXPECT_EQ(left_at(100), 1U);
    EXPECT_EQ(left_at(110), 0U);
}

TEST(quarter_sizes, are_those_of_jemalloc_and_netty) {
    const std::vector<std::size_t> sizes = {16,  32,  48,  64,  80,  96,  112, 128,
                                            160, 192, 224, 256, 320, 384, 448, 512};
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        EXPECT_EQ(quarter_sizes::size(i), sizes[i]);
        EXPECT_EQ(quarter_sizes::index(sizes[i]), i);
        EXPECT_EQ(quarter_sizes::index(sizes[i] + 1), i + 1);
    }
    EXPECT_EQ(quarter_sizes::index(1), 0U);
    EXPECT_EQ(quarter_sizes::round_up(28 * 1024 + 1), 32U * 1024U);
    EXPECT_EQ(quarter_sizes::size(75), std::size_t{16} << 20);
}

netty::options four_places_and_a_sweep_every_four() {
    netty::options options;
    options.small_entries = 4;
    options.normal_entries = 1;
    options.requests_a_sweep = 4;
    return options;
}

TEST(netty, rounds_up_four_to_a_doubling_up_to_a_chunk) {
    const netty cache({});
    EXPECT_EQ(cache.capacity_for(1), 16U);
    EXPECT_EQ(cache.capacity_for(100), 112U);
    EXPECT_EQ(cache.capacity_for(32769), 40960U);
    constexpr std::size_t chunk = std::size_t{4} << 20;
    EXPECT_EQ(cache.capacity_for(chunk), chunk);
    EXPECT_EQ(cache.capacity_for(chunk + 1), chunk + 1);
}

TEST(netty, is_first_in_first_out_and_drops_beyond_its_bound) {
    play<netty> buffers(four_places_and_a_sweep_every_four());
    const auto put = put_new(buffers, 5, 100);
    EXPECT_EQ(buffers.idle_bytes(), 4U * 112U);
    EXPECT_EQ(buffers.get(100), put[0]);
    EXPECT_EQ(buffers.get(112), put[1]);
    EXPECT_NE(buffers.get(96), put[2]);
    put_new(buffers, 2, 32 * 1024);
    EXPECT_EQ(buffers.idle_bytes(), 2U * 112U + 32U * 1024U);
    put_new(buffers, 1, 32 * 1024 + 1);
    EXPECT_EQ(buffers.idle_bytes(), 2U * 112U + 32U * 1024U);
}

TEST(netty, sweeps_as_many_as_hits_are_missing) {
    play<netty> buffers(four_places_and_a_sweep_every_four());
    const auto put = put_new(buffers, 4, 100);
    buffers.get(100);
    block* const again = buffers.get(100);
    buffers.put(again);
    buffers.get(100);
    EXPECT_EQ(buffers.idle(), 2U);
    // The fourth request has a size that is not kept, so it does not count. The fifth does.
    buffers.get(100'000);
    put_new(buffers, 1, 200);
    EXPECT_EQ(buffers.idle(), 3U);
    buffers.get(300);
    // Three hits: the oldest one of 112 is dropped. No hit of 224: it is dropped, and so is the new
    // one.
    put_new(buffers, 1, 200);
    EXPECT_EQ(buffers.idle(), 1U);
    EXPECT_FALSE(buffers.is_idle(put[3]));
    EXPECT_TRUE(buffers.is_idle(again));
    // Both counters start again: after four misses, all four of 112 are dropped.
    put_new(buffers, 3, 100);
    EXPECT_EQ(buffers.idle(), 4U);
    for (int i = 0; i < 4; ++i) buffers.get(300);
    put_new(buffers, 1, 100'000);
    EXPECT_EQ(buffers.idle(), 0U);
}

TEST(netty, keeps_256_of_a_small_size_and_64_of_the_largest) {
    play<netty> buffers;
    put_new(buffers, 300, 100);
    EXPECT_EQ(buffers.idle(), 256U);
    put_new(buffers, 100, 32 * 1024);
    EXPECT_EQ(buffers.idle(), 256U + 64U);
}

TEST(jetty, rounds_up_to_multiples_of_4096_up_to_65536) {
    const jetty pool({});
    EXPECT_EQ(pool.capacity_for(1), 4096U);
    EXPECT_EQ(pool.capacity_for(4096), 4096U);
    EXPECT_EQ(pool.capacity_for(4097), 8192U);
    EXPECT_EQ(pool.capacity_for(65536), 65536U);
    EXPECT_EQ(pool.capacity_for(65537), 65537U);
}

TEST(jetty, keeps_any_number_of_small_and_no_large_buffers) {
    play<jetty> buffers;
    put_new(buffers, 1000, 100);
    put_new(buffers, 10, 65537);
    EXPECT_EQ(buffers.idle_bytes(), 1000U * 4096U);
    buffers.get(5000);
    EXPECT_EQ(buffers.hits(), 0U);
}

TEST(jetty, evicts_the_oldest_of_a_size_beyond_its_bound) {
    jetty::options options;
    options.largest = 4096;
    options.most_idle = 10'000;
    play<jetty> buffers(options);
    const auto put = put_new(buffers, 3, 100);
    EXPECT_EQ(buffers.idle_bytes(), 8192U);
    EXPECT_FALSE(buffers.is_idle(put[0]));
}

TEST(jetty, evicts_one_of_each_size_in_turn) {
    jetty::options options;
    options.largest = 8192;
    options.most_idle = 20'480;
    play<jetty> buffers(options);
    put_new(buffers, 1, 8192);
    put_new(buffers, 3, 4096);
    EXPECT_EQ(buffers.idle_bytes(), 20'480U);
    put_new(buffers, 1, 4096);
    // One of either size is enough.
    EXPECT_TRUE(buffers.idle_bytes() == 20'480U || buffers.idle_bytes() == 16'384U)
        << buffers.idle_bytes();
}

TEST(jetty, refuses_a_largest_that_is_not_a_multiple) {
    jetty::options options;
    options.largest = 5000;
    EXPECT_THROW(jetty{options}, std::invalid_argument);
}

TEST(jemalloc_tcache, rounds_up_four_to_a_doubling) {
    const jemalloc_tcache cache({});
    EXPECT_EQ(cache.capacity_for(1), 8U);
    EXPECT_EQ(cache.capacity_for(9), 16U);
    EXPECT_EQ(cache.capacity_for(100), 112U);
    EXPECT_EQ(cache.capacity_for(14 * 1024 + 1), 16U * 1024U);
    EXPECT_EQ(cache.capacity_for((std::size_t{1} << 20) + 1), 5U * (std::size_t{1} << 18));
}

// Slabs: 64 of 64 bytes in one page, 128 of 160 in five, 1 of 4096 in one.
TEST(jemalloc_tcache, drops_the_older_half_beyond_twice_a_slab) {
    jemalloc_tcache::options options;
    options.bytes_between_looks = std::size_t{1} << 40;
    for (const auto& [size, places] : std::vector<std::pair<std::size_t, std::size_t>>{
             {64, 128}, {160, 200}, {640, 64}, {4096, 20}, {14336, 20}, {16384, 20}}) {
        play<jemalloc_tcache> buffers(options);
        const auto put = put_new(buffers, places, size);
        EXPECT_EQ(buffers.idle(), places) << size;
        const block* const last = put_new(buffers, 1, size)[0];
        EXPECT_EQ(buffers.idle(), places / 2 + 1) << size;
        EXPECT_FALSE(buffers.is_idle(put[places / 2 - 1]));
        EXPECT_TRUE(buffers.is_idle(put[places / 2]));
        EXPECT_EQ(buffers.get(size), last);
        EXPECT_EQ(buffers.get(size), put[places - 1]);
    }
}

TEST(jemalloc_tcache, keeps_buffers_with_the_returning_thread) {
    play<jemalloc_tcache> buffers;
    block* const put = put_new(buffers, 1, 100, 1)[0];
    EXPECT_NE(buffers.get(100, 16, 0), put);
    EXPECT_EQ(buffers.get(100, 16, 1), put);
    put_new(buffers, 1, 32 * 1024 + 1);
    EXPECT_EQ(buffers.idle(), 0U);
}

TEST(jemalloc_tcache, drops_three_quarters_of_unneeded_buffers) {
    jemalloc_tcache::options options;
    options.largest = 16;  // two sizes: 8 and 16
    options.bytes_between_looks = 64;
    play<jemalloc_tcache> buffers(options);
    put_new(buffers, 4, 16);  // inspects 8
    EXPECT_EQ(buffers.idle(), 4U);
    const auto put = put_new(buffers, 4, 16);  // inspects 16, which was empty before
    EXPECT_EQ(buffers.idle(), 8U);
    put_new(buffers, 4, 16);  // inspects 8
    EXPECT_EQ(buffers.idle(), 12U);
    for (int i = 0; i < 6; ++i) buffers.get(16);  // an inspection of 16 is due
    EXPECT_EQ(buffers.idle(), 6U);
    // Since the last inspection, 16 never had fewer than these 6: the oldest 5 are dropped.
    put_new(buffers, 1, 16);
    EXPECT_EQ(buffers.idle(), 2U);
    EXPECT_FALSE(buffers.is_idle(put[0]));
    EXPECT_TRUE(buffers.is_idle(put[1]));
}

TEST(jemalloc_tcache, refuses_a_bound_of_0) {
    jemalloc_tcache::options options;
    options.large_entries = 0;
    EXPECT_THROW(jemalloc_tcache{options}, std::invalid_argument);
}

TEST(bytebufferpool, hands_out_the_newest_and_grows_it) {
    play<bytebufferpool> buffers;
    const auto put = put_new(buffers, 3, 100);
    EXPECT_EQ(buffers.get(50), put[2]);
    block* const grown = buffers.get(200);
    EXPECT_EQ(grown->capacity, 200U);
    EXPECT_TRUE(buffers.is_idle(put[1]));  // garbage until the next return
    buffers.put(grown);
    EXPECT_FALSE(buffers.is_idle(put[1]));
    EXPECT_EQ(buffers.idle_bytes(), 300U);
    EXPECT_EQ(buffers.get(10), grown);
}

TEST(bytebufferpool, calibrates_by_requested_sizes) {
    bytebufferpool::options options;
    options.requests_a_calibration = 96;
    play<bytebufferpool> buffers(options);
    for (int i = 0; i < 3; ++i) buffers.get(5000);  // 8192
    buffers.get(100'000);                           // 131,072
    for (int i = 0; i < 96; ++i) buffers.get(100);  // 128
    EXPECT_EQ(buffers.policy().capacity_for(10), 10U);
    put_new(buffers, 1, 100'000);
    EXPECT_EQ(buffers.idle_bytes(), 100'000U);
    EXPECT_EQ(buffers.get(100)->capacity, 100'000U);  // the 97th: from now on new buffers have 128
    EXPECT_EQ(buffers.policy().capacity_for(10), 128U);
    // 97 of 101 are more than 95 %: nothing larger than 128 is kept.
    put_new(buffers, 1, 129);
    EXPECT_EQ(buffers.idle(), 0U);
    put_new(buffers, 1, 100);
    EXPECT_EQ(buffers.idle_bytes(), 128U);
}

TEST(bytebufferpool, drops_buffers_unused_for_two_collections) {
    bytebufferpool::options options;
    options.bytes_a_collection = 10'000;
    play<bytebufferpool> buffers(options);
    const auto put = put_new(buffers, 3, 100);
    const auto collect = [&] {
        block* const large = buffers.get(10'000);  // grows the newest
        buffers.put(large);
        return large;
    };
    collect();
    EXPECT_TRUE(buffers.is_idle(put[0]));
    EXPECT_TRUE(buffers.is_idle(put[1]));
    EXPECT_EQ(buffers.get(100)->capacity, 10'000U);
    EXPECT_EQ(buffers.get(100), put[1]);  // in use at the next collection
    buffers.put(put[1]);
    collect();  // the newest one grew at this
    EXPECT_FALSE(buffers.is_idle(put[0]));
}

}  // namespace
}  // namespace freehold::reimplemented::reimplemented_test
