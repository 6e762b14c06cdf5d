// SPDX-License-Identifier: BSL-1.0
#include "advise/traces/live_blocks.hpp"

#include <gtest/gtest.h>

namespace freehold::live_blocks_test {
namespace {

class live_blocks_ : public testing::Test {
protected:
    void allocate(std::uint64_t address, std::uint64_t size, std::uint32_t space = 0) {
        blocks.allocated({++time, space, 0, space}, address, size, 0, events, losses);
    }
    void free(std::uint64_t address, std::uint32_t space = 0) {
        blocks.freed({++time, space, 5, space}, address, events, losses);
    }

    live_blocks blocks;
    std::vector<trace_event> events;
    trace_losses losses;
    std::uint64_t time = 0;
};

TEST_F(live_blocks_, a_free_names_the_block_and_repeats_its_size_but_has_its_own_thread) {
    allocate(0x1000, 24);
    allocate(0x2000, 48);
    free(0x2000);
    ASSERT_EQ(events.size(), 3U);
    EXPECT_EQ(events[2].what, trace_event::kind::free);
    EXPECT_EQ(events[2].block, events[1].block);
    EXPECT_NE(events[0].block, events[1].block);
    EXPECT_EQ(events[2].size, 48U);
    EXPECT_EQ(events[2].thread, 5U);
    EXPECT_EQ(events[2].time, 3U);
}

TEST_F(live_blocks_, numbers_of_freed_blocks_are_given_again) {
    for (int i = 0; i != 1000; ++i) {
        allocate(0x1000 + 16 * static_cast<std::uint64_t>(i), 8);
        free(0x1000 + 16 * static_cast<std::uint64_t>(i));
    }
    for (const trace_event& event : events) EXPECT_EQ(event.block, 0U);
}

TEST_F(live_blocks_, an_address_that_is_given_again_was_freed_before) {
    allocate(0x1000, 24);
    allocate(0x1000, 48);
    ASSERT_EQ(events.size(), 3U);
    EXPECT_EQ(events[1].what, trace_event::kind::free);
    EXPECT_EQ(events[1].size, 24U);
    EXPECT_EQ(events[2].size, 48U);
    EXPECT_EQ(losses.missed_frees, 1U);
}

TEST_F(live_blocks_, a_free_of_an_unknown_block_is_counted_and_left_out) {
    free(0x1000);
    allocate(0x1000, 8);
    free(0x1000);
    free(0x1000);
    EXPECT_EQ(events.size(), 2U);
    EXPECT_EQ(losses.unknown_frees, 2U);
}

TEST_F(live_blocks_, null_is_no_block) {
    allocate(0, 24);
    free(0);
    EXPECT_TRUE(events.empty());
    EXPECT_EQ(losses.failed, 1U);
    EXPECT_EQ(losses.unknown_frees, 0U);
}

TEST_F(live_blocks_, the_same_address_in_two_processes_is_two_blocks) {
    allocate(0x1000, 24, 0);
    allocate(0x1000, 48, 1);
    free(0x1000, 0);
    ASSERT_EQ(events.size(), 3U);
    EXPECT_NE(events[0].block, events[1].block);
    EXPECT_EQ(events[2].size, 24U);
    EXPECT_EQ(losses.missed_frees, 0U);
}

}  // namespace
}  // namespace freehold::live_blocks_test
