// SPDX-License-Identifier: BSL-1.0
// What each lab that is built makes of the processes beside it: their cells are measured among its
// own, and a process that fails costs its own cells alone. The lab is copied, because its own
// processes lie beside it where it was built.
#include "lab/lab_output.hpp"
#include "lab/scripted_processes.hpp"
#include "lab_paths.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace processes_of_a_lab_test {
namespace {

using namespace lab_tests;
using nlohmann::json;

class processes_of : public testing::TestWithParam<built_lab> {
protected:
    processes_of() { std::filesystem::copy_file(GetParam().path, folder_ / "freehold-lab"); }

    void add(const std::string& name, const std::string& script) const {
        write_process(folder_, name, script);
    }

    /// Of all subjects but the scripted ones only the lower bounds are run.
    std::vector<json> run(const std::string& more = "") const {
        const outcome ran = run_command(folder_ / "freehold-lab",
                                        "run construction --process threaded --repetitions 3 "
                                        "--min-time 0.00001 --filter '^scripted' " +
                                            more);
        EXPECT_EQ(ran.status, 0);
        std::vector<json> lines = parse_lines(ran.output);
        if (lines.empty()) throw std::runtime_error("the lab printed nothing");
        EXPECT_EQ(lines.back().at("event"), "done");
        return lines;
    }

    outcome describe() const { return run_command(folder_ / "freehold-lab", "describe"); }

    const freehold::temporary_folder& folder() const { return folder_; }

private:
    freehold::temporary_folder folder_;
};

std::vector<json> with(const std::vector<json>& lines, const std::string& event,
                       const std::string& subject) {
    std::vector<json> found;
    std::copy_if(lines.begin(), lines.end(), std::back_inserter(found), [&](const json& line) {
        return line.at("event") == event && line.at("subject") == subject;
    });
    return found;
}

/// What the lab planned is what it did, or said that it would not do.
void check_plan(const std::vector<json>& lines) {
    std::size_t runs = 0;
    for (const json& line : lines) {
        if (line.at("event") == "sample") ++runs;
        if (line.at("event") == "skipped") runs += line.value("runs", std::size_t{0});
    }
    EXPECT_EQ(lines.front().at("runs"), runs);
}

TEST_P(processes_of, are_not_moved_by_a_request_that_was_disturbed) {
    add("shell", says(description_of_one("scripted")) +
                     "n=0; while read index iterations; do n=$((n + 1)); "
                     "if [ $((n % 5)) = 0 ]; then echo 1; else echo \"${iterations}e-6\"; fi; "
                     "done\n");
    for (const json& sample : with(run(), "sample", "scripted"))
        EXPECT_NEAR(sample.at("value").get<double>(), 1000, 1e-6) << sample;
}

TEST_P(processes_of, are_measured_in_every_repetition_and_described) {
    add("shell", says(description_of(subject("scripted", R"(,"version":"7.8")"),
                                     cell("scripted", "fill", R"(,"n":5)") + "," +
                                         cell("scripted", "one", R"(,"once":true)"))) +
                     answers_all);
    const auto lines = run();
    const auto samples = with(lines, "sample", "scripted");
    ASSERT_EQ(samples.size(), 6u);
    for (const json& sample : samples) {
        EXPECT_NEAR(sample.at("value").get<double>(), 1000, 1e-6) << sample;
        EXPECT_EQ(sample.at("unit"), sample.at("case") == "fill" ? "s" : "ns");
        EXPECT_EQ(sample.value("n", 0), sample.at("case") == "fill" ? 5 : 0);
    }
    check_plan(lines);
    const json subjects = json::parse(describe().output).at("subjects");
    const auto found = std::find_if(subjects.begin(), subjects.end(),
                                    [](const json& each) { return each.at("key") == "scripted"; });
    ASSERT_NE(found, subjects.end());
    EXPECT_EQ(found->at("version"), "7.8");
}

TEST_P(processes_of, that_fail_cost_their_own_cells_alone) {
    add("absent", "echo no memory >&2; exit 1\n");
    add("nonsense", "echo Hello\n");
    add("missing", says(description_of(subject("scripted_missing", R"(,"missing":"install it")"),
                                       cell("scripted_missing", "one"))));
    add("mortal", says(description_of(subject("scripted_mortal"),
                                      cell("scripted_mortal", "one", R"(,"once":true)"))) +
                      "read request; echo 0.5; read request; echo out of memory >&2; exit 1\n");
    add("short-lived", says(description_of_one("scripted_brief")) + "read request\n");
    add("healthy", says(description_of_one("scripted_healthy")) + answers_all);
    const auto lines = run();
    check_plan(lines);
    EXPECT_EQ(with(lines, "sample", "scripted_healthy").size(), 3u);
    EXPECT_EQ(with(lines, "sample", "scripted_mortal").size(), 1u);
    EXPECT_EQ(with(lines, "sample", "scripted_brief").size(), 0u);

    const auto reason = [&](const std::string& subject) {
        const auto skipped = with(lines, "skipped", subject);
        return skipped.size() == 1 ? skipped.front().at("reason").get<std::string>() : "";
    };
    EXPECT_EQ(reason("absent"), "the process absent ended with status 1: no memory");
    EXPECT_EQ(reason("nonsense").rfind("the process nonsense does not describe itself", 0), 0u);
    EXPECT_EQ(reason("scripted_missing"), "install it");
    EXPECT_EQ(reason("scripted_mortal"), "the process mortal ended with status 1: out of memory");
    EXPECT_EQ(with(lines, "skipped", "scripted_mortal").front().at("runs"), 2);
    EXPECT_EQ(reason("scripted_brief"), "the process short-lived ended too early");
    EXPECT_EQ(describe().status, 0);
}

TEST_P(processes_of, that_measure_what_no_suite_describes_end_the_run_with_its_name) {
    add("shell", says(description_of(subject("scripted"), cell("scripted", "two"))) + answers_all);
    const outcome ran = run_command(folder() / "freehold-lab",
                                    "run construction --process threaded --repetitions 1 "
                                    "--min-time 0.00001 --filter '^scripted' 2>&1");
    EXPECT_EQ(ran.status, 1);
    EXPECT_EQ(ran.output,
              "freehold-lab: the case 'two' is not in lab/suites/construction/suite.json\n");
}

INSTANTIATE_TEST_SUITE_P(each, processes_of, testing::ValuesIn(built_labs), name_of_lab);

}  // namespace
}  // namespace processes_of_a_lab_test
