// SPDX-License-Identifier: BSL-1.0
// What the suites cold_scan and cold_query report of a run over time.
#include "suites/common/usage_samples.hpp"

#include <cstddef>
#include <vector>

#include <gtest/gtest.h>

namespace usage_samples_test {
namespace {

using namespace lab;

TEST(usage_samples_of_a_run, is_dealt_out_to_equal_parts_of_the_time) {
    // One processor of the program's for the first second, two of the kernel's for the next.
    const std::vector<usage_samples::sample> samples = {
        {0, {5, 7, 0}}, {0.25, {5.25, 7, 0}}, {1, {6, 7, 0}}, {2, {6, 9, 0}}};
    const usage_in_parts parts = in_parts(samples, 4);
    ASSERT_EQ(parts.user.size(), 4u);
    for (const std::size_t part : {0u, 1u, 2u, 3u}) {
        EXPECT_NEAR(parts.user[part], part < 2 ? 1 : 0, 1e-12) << part;
        EXPECT_NEAR(parts.system[part], part < 2 ? 0 : 2, 1e-12) << part;
    }
}

TEST(usage_samples_of_a_run, counts_what_this_process_uses) {
    usage_samples samples;
    const usage before = usage::now();
    std::vector<char> touched(std::size_t{64} << 20);
    for (std::size_t at = 0; at < touched.size(); at += 4096) touched[at] = 1;
    asm volatile("" : : "r"(touched.data()) : "memory");  // or a compiler has no use for it
    const auto& taken = samples.finish();
    const usage after = taken.back().used;
    EXPECT_GT(after.user + after.system, before.user + before.system);
    EXPECT_GT(after.faults, before.faults);
    EXPECT_GE(samples.most_resident_bytes(), touched.size());
    EXPECT_GE(taken.size(), 2u);
}

}  // namespace
}  // namespace usage_samples_test
