// SPDX-License-Identifier: BSL-1.0
// Each lab that is built measures what it describes: every suite in every process is run once, as
// briefly as it can be.
#include "lab/lab_output.hpp"
#include "lab_paths.hpp"
#include "program/temporary_folder.hpp"

#include <cstdio>
#include <fstream>
#include <iterator>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace protocol_test {
namespace {

using namespace lab_tests;
using nlohmann::json;
using keys = std::set<std::string>;

keys keys_of(const json& list) {
    keys all;
    for (const json& each : list) {
        EXPECT_TRUE(all.insert(each.at("key").get<std::string>()).second) << "twice: " << each;
    }
    return all;
}

class lab_protocol : public testing::TestWithParam<built_lab> {
protected:
    json description() const {
        const outcome ran = run_command(GetParam().path, "describe");
        EXPECT_EQ(ran.status, 0);
        return json::parse(ran.output);
    }

    /// Whether it has all kernels: not only those of the first page, or by which compilers differ.
    bool is_whole() const {
        const std::string path = GetParam().path;
        return path == built_labs[0].path && !path.ends_with("-first");
    }

    std::vector<json> run(const std::string& arguments) const {
        const outcome ran = run_command(GetParam().path, "run " + arguments);
        EXPECT_EQ(ran.status, 0) << arguments;
        return parse_lines(ran.output);
    }
};

TEST_P(lab_protocol, describes_itself) {
    const json d = description();
    EXPECT_EQ(d.at("format"), "freehold-lab");
    EXPECT_EQ(d.at("version"), 2);
    EXPECT_EQ(d.at("compiler").get<std::string>().find(GetParam().name), 0u) << d.at("compiler");
    EXPECT_NE(d.at("flags").get<std::string>().find("-O3 -DNDEBUG"), std::string::npos);
    const keys families = keys_of(d.at("families"));
    const keys subjects = keys_of(d.at("subjects"));
    for (const json& each : d.at("subjects")) {
        EXPECT_TRUE(families.contains(each.at("family"))) << each;
        EXPECT_NE(each.at("name"), "");
        EXPECT_NE(each.value("missing", "a reason"), "");
    }
    for (const json& suite : d.at("suites")) {
        EXPECT_FALSE(keys_of(suite.at("cases")).empty());
        for (const std::string mode : {"quick", "default", "full"}) {
            EXPECT_GT(suite.at("schedule").at(mode).at("rounds"), 0);
        }
        if (!is_whole()) continue;
        for (const json& each : suite.at("lower_bounds")) {
            EXPECT_TRUE(subjects.contains(each)) << suite.at("key") << each;
        }
    }
}

TEST_P(lab_protocol, leaves_out_timed_cells) {
    const std::string command = "operations --process single --repetitions 1 --min-time 0.00001";
    const auto samples = [&](const std::string& more) {
        keys found;
        for (const json& line : run(command + more)) {
            if (line.at("event") == "sample")
                found.insert(line.at("subject").get<std::string>() + "\t" +
                             line.at("case").get<std::string>() + "\t" +
                             (line.contains("n") ? line.at("n").dump() : ""));
        }
        return found;
    };
    keys all = samples("");
    const freehold::temporary_folder folder;
    const std::string file = folder.write("known", "raw\tcopy\t\nraw\thold\t8\nraw\thold\t\n");
    EXPECT_EQ(all.erase("raw\tcopy\t") + all.erase("raw\thold\t8"), 2U);
    EXPECT_EQ(samples(" --leave-out " + file), all);
    EXPECT_EQ(run_command(GetParam().path,
                          "run " + command + " --leave-out " + (folder / "missing").string())
                  .status,
              1);
}

std::string bytes_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

TEST_P(lab_protocol, has_placements_that_are_the_same_lab_in_another_order) {
    const std::string path = GetParam().path;
    std::set<std::string> programs{bytes_of(path)};
    for (const char* placement : {"-placed-2", "-placed-3"}) {
        const outcome ran = run_command(path + placement, "describe");
        ASSERT_EQ(ran.status, 0) << placement;
        EXPECT_EQ(json::parse(ran.output), description()) << placement;
        EXPECT_TRUE(programs.insert(bytes_of(path + placement)).second) << placement;
    }
}

/// Checks the lines of one run, and returns the cases that have figures or a reason.
keys check_lines(const std::vector<json>& lines, const json& suite, const keys& subjects) {
    std::map<std::string, json> cases;
    for (const json& each : suite.at("cases")) cases[each.at("key")] = each;
    keys seen;
    std::set<std::tuple<std::string, std::string, std::optional<int>>> figures;
    EXPECT_EQ(lines.front().at("event"), "plan");
    EXPECT_EQ(lines.back().at("event"), "done");
    EXPECT_GE(lines.back().at("repeated"), 0);
    EXPECT_GE(lines.back().at("disturbed"), 0);
    for (std::size_t i = 1; i + 1 < lines.size(); ++i) {
        const json& line = lines[i];
        const std::string event = line.at("event");
        EXPECT_TRUE(subjects.contains(line.at("subject"))) << line;
        const auto described = cases.find(line.at("case"));
        if (described == cases.end()) {
            ADD_FAILURE() << "not described: " << line;
            continue;
        }
        seen.insert(described->first);
        if (event == "skipped") {
            EXPECT_NE(line.at("reason"), "") << line;
            continue;
        }
        EXPECT_TRUE(event == "sample" || event == "exact") << line;
        EXPECT_EQ(line.at("unit"), described->second.at("unit")) << line;
        EXPECT_EQ(line.contains("n"), described->second.contains("parameter")) << line;
        EXPECT_GE(line.at("value"), 0) << line;
        const auto n = line.contains("n") ? std::optional<int>(line.at("n")) : std::nullopt;
        EXPECT_TRUE(figures.emplace(line.at("subject"), line.at("case"), n).second)
            << "twice: " << line;
    }
    EXPECT_EQ(lines.front().at("runs"), figures.size());
    return seen;
}

TEST_P(lab_protocol, measures_what_it_describes) {
    const json d = description();
    const keys subjects = keys_of(d.at("subjects"));
    for (const json& suite : d.at("suites")) {
        keys seen;
        for (const std::string process : suite.at("processes")) {
            SCOPED_TRACE(std::string(suite.at("key")) + " " + process);
            const auto lines = run(std::string(suite.at("key")) + " --process " + process +
                                   " --repetitions 1 --min-time 0.00001 --data 16");
            ASSERT_GE(lines.size(), 3u);
            seen.merge(check_lines(lines, suite, subjects));
        }
        if (is_whole()) {
            EXPECT_EQ(seen, keys_of(suite.at("cases")));
        }
    }
}

/// The figures of process `threaded` that are not timed, and their notes.
TEST_P(lab_protocol, reads_the_sizes_of_machine_code) {
    if (!is_whole()) GTEST_SKIP() << "it has no footprint";
    std::map<std::pair<std::string, std::string>, std::pair<double, std::string>> figures;
    for (const json& line : run("footprint --process threaded --repetitions 1 --min-time 0.00001 "
                                "--filter '^(std.shared_ptr|intrusive)$'")) {
        if (line.at("event") == "skipped") GTEST_SKIP() << line.at("reason");
        if (line.at("event") != "exact") continue;
        figures[{line.at("subject"), line.at("case")}] = {line.at("value"), line.value("note", "")};
    }
    const auto figure = [&](const char* subject, const char* one) {
        return figures.at({subject, one});
    };
    EXPECT_EQ(figure("raw", "handle").first, sizeof(void*));
    EXPECT_EQ(figure("std.shared_ptr", "handle").first, 2 * sizeof(void*));
    EXPECT_EQ(figure("raw", "copy.instructions"), std::pair(2.0, std::string("I")))
        << "a load and a store";
    EXPECT_EQ(figure("raw", "destroy.instructions").first, 0);
    EXPECT_EQ(figure("intrusive", "copy.instructions").second, "I");
    EXPECT_NE(figure("std.shared_ptr", "destroy.instructions").second, "I")
        << "the deleter is called through a pointer";
    EXPECT_GT(figure("std.shared_ptr", "text_per_type").first,
              figure("intrusive", "text_per_type").first);
    EXPECT_GT(figure("intrusive", "text_per_type").first, figure("raw", "text_per_type").first);
}

TEST_P(lab_protocol, reports_each_repetition_of_what_the_filter_chose) {
    keys subjects;
    std::set<std::tuple<std::string, int, int>> samples;
    for (const json& line : run("operations --process threaded --repetitions 3 "
                                "--min-time 0.00001 --filter '^std::u'")) {
        if (line.at("event") != "sample") continue;
        subjects.insert(line.at("subject").get<std::string>());
        if (line.at("case") != "hold") continue;
        samples.emplace(line.at("subject"), line.at("n"), line.at("repetition"));
    }
    EXPECT_EQ(subjects, (keys{"raw", "dumb", "std.unique_ptr", "plain_pair", "locked_pair",
                              "locked_pair.stored"}));
    EXPECT_EQ(samples.size(), 3u * 6u * 3u);
}

TEST_P(lab_protocol, keeps_the_iterations_that_it_found_for_the_next_process) {
    const std::string file =
        testing::TempDir() + "/freehold-iterations-" + std::to_string(getpid());
    const auto counts = [&] {
        std::ifstream in(file);
        return std::vector<long>{std::istream_iterator<long>(in), {}};
    };
    const auto measure = [&] {
        return run(
            "operations --process threaded --repetitions 1 --min-time 0.00001 "
            "--filter '^std::u' --iterations " +
            file);
    };
    const auto first = measure();
    const std::vector<long> found = counts();
    EXPECT_EQ(first.front().at("runs"), found.size());
    EXPECT_GT(std::accumulate(found.begin(), found.end(), 0L), static_cast<long>(found.size()));

    const std::vector<long> ones(found.size(), 1);
    std::ofstream(file) << "1\n";
    measure();
    EXPECT_EQ(counts().size(), found.size()) << "a file for other cells is replaced";
    {
        std::ofstream out(file);
        for (const long one : ones) out << one << '\n';
    }
    measure();
    EXPECT_EQ(counts(), ones) << "a file for these cells is used as it is";
    std::remove(file.c_str());
}

TEST_P(lab_protocol, says_in_one_line_what_is_wrong) {
    const std::string ok = " --process threaded --repetitions 1 --min-time 0.01";
    for (const std::string& arguments :
         {"run nonsense" + ok, "run operations --filter '('" + ok,
          std::string("run packets --process single --repetitions 1 --min-time 0.01"),
          std::string("run operations --process both --repetitions 1 --min-time 0.01"),
          std::string("run operations --process single --repetitions 0 --min-time 0.01"),
          std::string("run operations"), std::string("")}) {
        const outcome ran = run_command(GetParam().path, arguments + " 2>&1");
        EXPECT_EQ(ran.status, 1) << arguments;
        EXPECT_EQ(ran.output.rfind("freehold-lab: ", 0), 0u) << arguments << ": " << ran.output;
        EXPECT_EQ(ran.output.find('\n'), ran.output.size() - 1) << arguments << ": " << ran.output;
    }
}

INSTANTIATE_TEST_SUITE_P(each, lab_protocol, testing::ValuesIn(built_labs), name_of_lab);

}  // namespace
}  // namespace protocol_test
