// SPDX-License-Identifier: BSL-1.0
// The suite `atomics` of each lab that has it, run once: every pointer that is installed has all
// figures, and those that are no times are right.
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

namespace atomics_test {
namespace {

using namespace lab_tests;
using nlohmann::json;

/// The sizes for which a subject's case has figures; 0 if it has no sizes.
using sizes = std::set<int>;

struct run_of_atomics {
    std::map<std::pair<std::string, std::string>, sizes> timed;
    std::map<std::pair<std::string, std::string>, double> bytes;
    std::set<std::string> skipped;
};

run_of_atomics run_once(const char* lab) {
    const outcome ran = run_command(
        lab, "run atomics --process threaded --repetitions 1 --min-time 0.00001 --data 16");
    EXPECT_EQ(ran.status, 0);
    run_of_atomics result;
    for (const json& line : parse_lines(ran.output)) {
        if (line.at("event") == "skipped")
            result.skipped.insert(line.at("subject").get<std::string>());
        if (!line.contains("unit")) continue;
        const std::pair<std::string, std::string> key(line.at("subject"), line.at("case"));
        if (line.at("unit") == "bytes") {
            result.bytes[key] = line.at("value");
        } else {
            EXPECT_GT(line.at("value"), 0) << line;
            result.timed[key].insert(line.value("n", 0));
        }
    }
    return result;
}

class atomics_suite : public testing::TestWithParam<built_lab> {
protected:
    void SetUp() override {
        const json description = json::parse(run_command(GetParam().path, "describe").output);
        const json& suites = description.at("suites");
        if (std::none_of(suites.begin(), suites.end(),
                         [](const json& each) { return each.at("key") == "atomics"; }))
            GTEST_SKIP() << "this lab has not the suite";
    }
};

TEST_P(atomics_suite, measures_every_pointer_that_is_installed) {
    const run_of_atomics ran = run_once(GetParam().path);
    const int most = static_cast<int>(std::max(2u, std::thread::hardware_concurrency()));
    std::set<std::string> subjects;
    for (const auto& [key, all] : ran.timed) subjects.insert(key.first);
    for (const char* expected :
         {"lower_bound", "locked_pair", "freehold.atomic_arc.load", "freehold.atomic_arc.snapshot",
          "freehold.atomic_shared_ptr.load", "freehold.atomic_shared_ptr.snapshot",
          "std.mutex_and_std.shared_ptr", "std.shared_mutex_and_std.shared_ptr"}) {
        EXPECT_TRUE(subjects.contains(expected)) << expected;
    }
    for (const std::string& subject : subjects) {
        SCOPED_TRACE(subject);
        EXPECT_FALSE(ran.skipped.contains(subject));
        const auto has = [&](const char* one) { return ran.timed.at({subject, one}); };
        for (const char* one : {"read.one_pointer", "read.one_of_many", "update"}) {
            EXPECT_TRUE(has(one).contains(1)) << one;
            EXPECT_TRUE(has(one).contains(most)) << one;
        }
        EXPECT_EQ(has("read_mostly"), (sizes{10, 1000, 1'000'000}));
        EXPECT_TRUE(has("storm.read").contains(1));
        EXPECT_TRUE(has("storm.store").contains(1));
        EXPECT_TRUE(has("storm.store").contains(2));
        EXPECT_EQ(has("storm.latency"), sizes{0});
        EXPECT_EQ(has("store"), sizes{0});
    }

    const auto pointer = [&](const char* subject) { return ran.bytes.at({subject, "pointer"}); };
    EXPECT_EQ(pointer("lower_bound"), sizeof(void*));
    EXPECT_EQ(pointer("freehold.atomic_arc.snapshot"), sizeof(void*));
    EXPECT_EQ(pointer("freehold.atomic_shared_ptr.snapshot"), 2 * sizeof(void*));
    for (const auto& [key, bytes] : ran.bytes) {
        if (key.second == "pointer") continue;
        EXPECT_GE(bytes, pointer(key.first.c_str())) << key.first;
    }
}

INSTANTIATE_TEST_SUITE_P(each, atomics_suite, testing::ValuesIn(built_labs), name_of_lab);

}  // namespace
}  // namespace atomics_test
