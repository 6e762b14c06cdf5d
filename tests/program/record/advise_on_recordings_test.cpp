// SPDX-License-Identifier: BSL-1.0
// Real programs from their recording to the advice, and the same again.
#include "advise/advice.hpp"
#include "program/record/recording_test.hpp"
#include "skip.hpp"

#include <cmath>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace freehold::advise_on_recordings_test {
namespace {

using testing::HasSubstr;

class advise_on_recordings : public recording_test {
protected:
    // By the same costs, so that the figures hang on the recording alone.
    advice advised(const std::string& name, const std::vector<std::string>& command) {
        const program_end end = record(name, command);
        EXPECT_EQ(end.exit_status, 0) << end.diagnostics;
        const auto trace = open_trace(folder / name);
        const measured_costs costs{{{64, 8}, {4096, 70}, {65536, 320}, {1048576, 70000}}, 6};
        return advise(*trace, {}, costs, [](const std::string&, double) {});
    }

    static double saving_of(const advice& given) {
        return net_saving(given.choice().result.halves[1], given.costs.cache);
    }

    void expect_the_same_twice(const std::vector<std::string>& command) {
        const advice first = advised("first", command);
        const advice second = advised("second", command);
        EXPECT_EQ(first.process.name, second.process.name);
        const auto requests = static_cast<double>(first.scope.requests);
        EXPECT_GT(requests, 1000);
        EXPECT_NEAR(static_cast<double>(second.scope.requests), requests, requests / 50);
        // What share of the run that is hangs on how busy the machine was.
        EXPECT_NEAR(saving_of(second), saving_of(first), std::abs(saving_of(first)) / 20);
        ASSERT_EQ(first.outcomes.size(), second.outcomes.size());
        EXPECT_NEAR(first.choice().result.halves[1].hit_rate(),
                    second.choice().result.halves[1].hit_rate(), 0.05);
        EXPECT_GE(first.choice().result.halves[1].used(), 0.95);
        for (const setting_outcome& each : first.outcomes) {
            EXPECT_LE(each.result.halves[1].hit_rate(), 1);
            EXPECT_GT(each.result.halves[1].used(), 0);
        }
    }
};

TEST_F(advise_on_recordings, says_the_same_of_a_compiler_twice) {
    const auto source = folder.write("source.cpp", "#include <string>\nstd::string s(10, 'x');\n");
    expect_the_same_twice(
        {FREEHOLD_COMPILER, "-c", source.string(), "-o", (folder / "object.o").string()});
}

TEST_F(advise_on_recordings, says_the_same_of_a_script_of_python_twice) {
    if (!succeeds("python3 -c 'import json'"))
        return tests::skip_without("python3", "Python 3 is not installed");
    const auto script =
        folder.write("script.py",
                     "import json\n"
                     "rows = [{'key': i, 'text': 'x' * (i % 700)} for i in range(3000)]\n"
                     "for i in range(5): json.loads(json.dumps(rows))\n");
    // Sets and dictionaries of strings lie the same in memory then.
    expect_the_same_twice({"env", "PYTHONHASHSEED=1", "python3", script.string()});
}

TEST_F(advise_on_recordings, says_the_same_of_sqlite_twice) {
    if (!succeeds("sqlite3 -version"))
        return tests::skip_without("sqlite3", "sqlite3 is not installed");
    expect_the_same_twice(
        {"sqlite3", ":memory:",
         "create table t(a, b); with recursive c(x) as (select 1 union all select x + 1 from c "
         "where x < 5000) insert into t select x, hex(x) from c; select count(*) from t x join t y "
         "on x.b = y.b;"});
}

TEST_F(advise_on_recordings, prints_the_advice_and_writes_the_page) {
    ASSERT_EQ(record("trace", {"sh", "-c", "for i in 1 2 3; do ls / ; done"}).exit_status, 0);
    const auto page = folder / "page.html";
    const program_end end =
        run_program({"advise", (folder / "trace").string(), "-o", page.string()});
    EXPECT_EQ(end.exit_status, 0) << end.diagnostics;
    EXPECT_THAT(end.output, HasSubstr("Recommendation"));
    EXPECT_THAT(end.output, HasSubstr("greedy_dual_fit"));
    std::ifstream written(page);
    const std::string html((std::istreambuf_iterator<char>(written)), {});
    EXPECT_THAT(html, HasSubstr("<html"));
    EXPECT_THAT(html, HasSubstr("Recommendation"));
}

TEST(advise_command, takes_no_number_of_bytes_for_another) {
    for (const std::string text : {"-5", "99999999999999999999", "much"}) {
        const program_end end = run_program({"advise", "trace", "--max-idle", text});
        EXPECT_EQ(end.exit_status, 1);
        EXPECT_THAT(end.diagnostics, HasSubstr("--max-idle: " + text));
    }
}

}  // namespace
}  // namespace freehold::advise_on_recordings_test
