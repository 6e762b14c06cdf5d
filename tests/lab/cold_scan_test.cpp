// SPDX-License-Identifier: BSL-1.0
// The suite cold_scan as each lab that is built runs it, over a real server. Where versitygw is not
// installed there is nothing to read from; scripts/test installs it.
#include "lab/lab_output.hpp"
#include "lab_paths.hpp"
#include "servers/s3_server.hpp"
#include "skip.hpp"

#include <cstdlib>
#include <map>
#include <set>
#include <string>
#include <utility>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace cold_scan_test {
namespace {

using namespace lab_tests;
using nlohmann::json;

constexpr const char* shortest =
    "run cold_scan --process threaded --repetitions 1 --min-time 0.00001 --data 64";

class cold_scan : public testing::TestWithParam<built_lab> {};

TEST_P(cold_scan, measures_every_way_and_finds_what_was_written) {
    if (!lab::find_versitygw())
        return freehold::tests::skip_without("s3", lab::s3_server::how_to_install);
    const outcome ran = run_command(GetParam().path, shortest);
    ASSERT_EQ(ran.status, 0);
    std::map<std::pair<std::string, std::string>, double> values;
    for (const json& line : parse_lines(ran.output)) {
        const std::string event = line.at("event");
        if (event == "skipped") {
            // Whether this machine lets itself be profiled is not the suite's doing.
            EXPECT_EQ(line.at("case").get<std::string>().rfind("profile.", 0), 0u) << line;
        }
        if (event != "sample" && event != "exact") continue;
        values[{line.at("subject"), line.at("case")}] = line.at("value");
    }
    EXPECT_EQ((values[{"freehold.line_cache", "requests_of_64_readers"}]), 1);
    for (const std::string cache : {"freehold.line_cache", "freehold.line_cache.all_kept"}) {
        const double most = values[{cache, "cold.line_memory"}];
        EXPECT_GT(most, 0);
        EXPECT_LE(most, (values[{cache, "line_memory.bound"}]));
        EXPECT_GE((values[{cache, "cold.memory"}]), most / 2);
    }
    EXPECT_GT((values[{"libcurl.std.make_shared", "cold.faults"}]),
              (values[{"libcurl.std.make_shared", "warm.faults"}]));
}

TEST_P(cold_scan, says_why_it_has_no_server) {
    const outcome ran =
        run_command("/usr/bin/env",
                    "FREEHOLD_S3_ENDPOINT=http://localhost:1 AWS_ACCESS_KEY_ID=a "
                    "AWS_SECRET_ACCESS_KEY=b '" +
                        std::string(GetParam().path) + "' " + shortest + " --filter 'line_cache$'");
    ASSERT_EQ(ran.status, 0);
    std::set<std::string> reasons;
    std::set<std::string> skipped;
    for (const json& line : parse_lines(ran.output)) {
        if (line.at("event") != "skipped") continue;
        reasons.insert(line.at("reason").get<std::string>());
        skipped.insert(line.at("case").get<std::string>());
    }
    ASSERT_EQ(reasons.size(), 1u);
    EXPECT_EQ(reasons.begin()->rfind("http://localhost:1/freehold-cold-scan: ", 0), 0u)
        << *reasons.begin();
    EXPECT_EQ(skipped.count("cold.wall"), 1u);
    EXPECT_EQ(skipped.count("requests_of_64_readers"), 1u);
}

INSTANTIATE_TEST_SUITE_P(each, cold_scan, testing::ValuesIn(built_labs), name_of_lab);

}  // namespace
}  // namespace cold_scan_test
