// SPDX-License-Identifier: BSL-1.0
// The suite cold_query as each lab that is built runs it. A lab without Arrow skips it, with the
// reason.
#include "lab/lab_output.hpp"
#include "lab_paths.hpp"
#include "servers/s3_server.hpp"
#include "skip.hpp"

#include <map>
#include <set>
#include <string>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace cold_query_test {
namespace {

using namespace lab_tests;
using nlohmann::json;

/// One file of each encoding, so that a query takes little.
constexpr const char* shortest =
    "run cold_query --process threaded --repetitions 1 --min-time 0.00001 --data 16";

class cold_query : public testing::TestWithParam<built_lab> {};

TEST_P(cold_query, finds_what_was_written_through_every_file_system) {
    const outcome ran =
        run_command(GetParam().path, std::string(shortest) + " --filter 'arrow|s3fs'");
    ASSERT_EQ(ran.status, 0);
    std::map<std::pair<std::string, std::string>, double> values;
    for (const json& line : parse_lines(ran.output)) {
        const std::string event = line.at("event");
        if (event == "skipped" && line.at("subject") == "lower_bound") {
            return freehold::tests::skip_without("arrow", line.at("reason").get<std::string>());
        }
        // s3fs and versitygw are not installed everywhere.
        if (event == "skipped" && line.at("subject") != "s3fs") {
            EXPECT_THAT(line.at("case").get<std::string>(), testing::HasSubstr("versitygw"))
                << line;
        }
        // Of a case with several values, their sum.
        if (event == "sample") {
            values[{line.at("subject"), line.at("case")}] += line.at("value").get<double>();
        }
    }
    const std::string cache = "freehold.arrow_filesystem";
    const bool has_versitygw = lab::find_versitygw().has_value();
    for (const std::string query : {"q6", "q1", "plain.q6"}) {
        // No subject reads the columns with fewer bytes than Arrow, which asks for them exactly.
        const double needed = values[{"arrow.s3filesystem", query + ".cold.bytes"}];
        EXPECT_GT(needed, 0);
        for (const std::string way : {"", ".lines_of_8_mib", ".disk_tier", ".fresh_memory"}) {
            EXPECT_GE((values[{cache + way, query + ".cold.bytes"}]), needed) << way;
            EXPECT_GT((values[{cache + way, query + ".far.cold.wall"}]), 0) << way;
            EXPECT_GT((values[{cache + way, query + ".cold.user_over_time"}]), 0) << way;
            // A plain column chunk is longer than a line of 8 MiB, and without pre_buffer two
            // chunks share a line, which can lie behind one of them only.
            const double in_place = way == ".lines_of_8_mib" && query == "plain.q6" ? 50 : 80;
            EXPECT_GE((values[{cache + way, query + ".cold.in_place"}]), in_place) << way;
            if (has_versitygw && query != "plain.q6") {
                EXPECT_GT((values[{cache + way, query + ".versitygw.cold.wall"}]), 0) << way;
            }
        }
        EXPECT_GT((values[{cache + ".disk_tier", query + ".restart.wall"}]), 0);
        EXPECT_GT((values[{"lower_bound", query + ".warm.wall"}]), 0);
    }
}

TEST_P(cold_query, says_why_a_store_cannot_be_made) {
    const outcome ran =
        run_command("/usr/bin/env", "TMPDIR=/nonexistent '" + std::string(GetParam().path) + "' " +
                                        shortest + " --filter filesystem$");
    ASSERT_EQ(ran.status, 0);
    std::set<std::string> skipped;
    for (const json& line : parse_lines(ran.output)) {
        if (line.at("event") != "skipped") continue;
        EXPECT_FALSE(line.at("reason").get<std::string>().empty());
        skipped.insert(line.at("case").get<std::string>());
    }
    EXPECT_FALSE(skipped.empty());
}

INSTANTIATE_TEST_SUITE_P(each, cold_query, testing::ValuesIn(built_labs), name_of_lab);

}  // namespace
}  // namespace cold_query_test
