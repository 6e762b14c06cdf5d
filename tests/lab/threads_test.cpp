// SPDX-License-Identifier: BSL-1.0
// The suite `threads`, run once with the count that is prepared for threads.
#include "lab/lab_output.hpp"
#include "lab_paths.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <thread>
#include <utility>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sched.h>

namespace threads_test {
namespace {

using namespace lab_tests;
using nlohmann::json;

class threads_suite : public testing::TestWithParam<built_lab> {};

TEST_P(threads_suite, shares_out_what_can_be_shared_out) {
    const outcome ran =
        run_command(GetParam().path,
                    "run threads --process threaded --repetitions 1 --min-time 0.00001 "
                    "--filter sharded");
    ASSERT_EQ(ran.status, 0);
    std::map<std::pair<std::string, std::string>, std::map<int, double>> figures;
    std::set<std::string> skipped;
    for (const json& line : parse_lines(ran.output)) {
        if (line.at("event") == "skipped") skipped.insert(line.at("case").get<std::string>());
        if (line.contains("unit"))
            figures[{line.at("subject"), line.at("case")}][line.value("n", 0)] = line.at("value");
    }
    const std::string sharded = "freehold.arc.sharded";
    const int most = static_cast<int>(std::max(2u, std::thread::hardware_concurrency()));
    EXPECT_EQ(figures.at({sharded, "one_object"}).rbegin()->first, 2 * most);
    EXPECT_GT(figures.at({sharded, "pass_copies"}).at(0), 0);
    EXPECT_GT(figures.at({"raw", "pass_copies"}).at(0), 0);
    EXPECT_FALSE(figures.contains({"raw", "share_out"}));
    if (!skipped.contains("share_out")) {
        EXPECT_GT(figures.at({sharded, "share_out"}).at(0), 0);
    }
    if (!skipped.contains("while_shared_out")) {
        cpu_set_t usable;
        ASSERT_EQ(sched_getaffinity(0, sizeof usable, &usable), 0);
        // A note, and a shard of each processor.
        EXPECT_EQ(figures.at({sharded, "while_shared_out"}).at(0), 16 * (1 + CPU_COUNT(&usable)));
    }
}

INSTANTIATE_TEST_SUITE_P(each, threads_suite, testing::ValuesIn(built_labs), name_of_lab);

}  // namespace
}  // namespace threads_test
