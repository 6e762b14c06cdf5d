// SPDX-License-Identifier: BSL-1.0
// Each lab that is built measures what lab/README.md says, and prints it as lab/README.md says:
// every suite in every process is run once, as briefly as it can be.
#include "lab/buffers_cells.hpp"
#include "lab/cold_scan_cells.hpp"
#include "lab/lab_output.hpp"
#include "lab/packets_cells.hpp"
#include "lab/zeroing_cells.hpp"
#include "lab_paths.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace {

using namespace lab_tests;
using nlohmann::json;

/// The first column of the table under a heading.
names documented_competitors(const std::string& heading = "## Competitors") {
    std::ifstream in(FREEHOLD_LAB_README);
    names found;
    bool here = false;
    const std::regex quoted("`([^`]+)`");
    for (std::string line; std::getline(in, line);) {
        if (line.rfind("## ", 0) == 0) here = line == heading;
        if (!here || line.rfind("| `", 0) != 0) continue;
        const std::string cell = line.substr(2, line.find(" | ", 2) - 2);
        for (std::sregex_iterator it(cell.begin(), cell.end(), quoted), end; it != end; ++it) {
            found.insert((*it)[1]);
        }
    }
    return found;
}

names expected_competitors(const std::string& suite, const std::string& process) {
    const std::string by_hand = "std::shared_ptr, cut by hand";
    if (suite == "cycles") {
        return process == "single" ? names{by_hand} : names{"cyclic", "Boehm", by_hand};
    }
    if (process == "single") {
        return {"raw", "dumb", "std::unique_ptr", "std::shared_ptr", "std::make_shared"};
    }
    names all = documented_competitors();
    for (const std::string& elsewhere :
         {by_hand, std::string("Boehm"), std::string("plain pair"), std::string("locked pair"),
          std::string("locked pair, stored"), std::string("new and delete"), std::string("Rc"),
          std::string("Arc"), std::string("triomphe::Arc"), std::string("std::shared_ptr, libc++"),
          std::string("std::make_shared, libc++")}) {
        all.erase(elsewhere);
    }
    return all;
}

/// The tests of a suite, each with its sizes; -1 where a test has none.
std::set<std::pair<std::string, int>> expected_tests(const std::string& suite) {
    if (suite == "operations") {
        return {{"hold", 0},  {"hold", 2},  {"hold", 4}, {"hold", 8},
                {"hold", 16}, {"hold", 32}, {"move", -1}};
    }
    if (suite == "containers") {
        return {{"vector fill", 300000},
                {"vector sort", 300000},
                {"list fill", 300000},
                {"list sort", 300000}};
    }
    if (suite == "construction") {
        return {{"one", -1}, {"1024 alive", -1}, {"fill", 300000}, {"refill", 300000}};
    }
    std::set<std::pair<std::string, int>> tests;
    if (suite == "footprint") {
        tests = {{"handle", -1}, {"beyond the object", -1}, {"text per type", -1}};
        for (const std::string operation : {"ptr()", "ptr(p)", "ptr(ptr)", "op=", "~ptr()"}) {
            tests.insert({operation + " instructions", -1});
            tests.insert({operation + " bytes", -1});
        }
    } else if (suite == "cycles") {
        for (const std::string test :
             {"ring", "ring beside a million", "ring with a live head", "chain", "random graph"}) {
            tests.insert({test, -1});
            tests.insert({test + " pause", -1});
        }
    }
    return tests;
}

/// std::unique_ptr has no copies, and some handles have no weak ones.
void add_what_not_all_can(std::set<cell>& cells, const std::string& process) {
    for (const std::string& competitor : expected_competitors("operations", process)) {
        if (competitor != "std::unique_ptr") cells.emplace(competitor, "copy", -1);
    }
    for (const std::string competitor : {"std::shared_ptr", "std::make_shared"}) {
        cells.emplace(competitor, "lock", -1);
    }
    if (process == "single") return;
    for (const std::string competitor :
         {"cyclic", "freehold::shared_ptr", "freehold::shared_ptr, local",
          "freehold::shared_ptr, biased", "freehold::make_shared", "freehold::make_shared, local",
          "freehold::make_shared, biased", "freehold::arc", "freehold::arc, local",
          "freehold::arc, biased", "std::__shared_ptr, single", "boost::shared_ptr",
          "boost::make_shared", "boost::make_shared_noinit", "QSharedPointer",
          "QSharedPointer::create"}) {
        cells.emplace(competitor, "lock", -1);
    }
    for (const std::string pair : {"plain pair", "locked pair", "locked pair, stored"}) {
        cells.emplace(pair, "copy", -1);
    }
}

std::set<cell> expected_cells_of_threads() {
    std::set<int> sizes;
    const int most = static_cast<int>(std::max(2u, std::thread::hardware_concurrency()));
    for (int size = 1; size < most; size *= 2) sizes.insert(size);
    sizes.insert(most);

    const names handles = {"freehold::make_shared",
                           "freehold::make_shared, biased",
                           "freehold::arc",
                           "freehold::arc, biased",
                           "intrusive, atomic",
                           "intrusive, biased",
                           "std::make_shared",
                           "boost::make_shared",
                           "raw",
                           "boost::intrusive_ptr, atomic"};
    const names of_rust = {"Arc", "triomphe::Arc"};
    std::set<cell> cells = {{"new and delete", "hand-over", -1}};
    for (const names& some : {handles, of_rust}) {
        for (const std::string& competitor : some) {
            cells.emplace(competitor, "hand-over", -1);
            for (const int size : sizes) {
                cells.emplace(competitor, "one object", size);
                cells.emplace(competitor, "an object each", size);
            }
        }
    }
    for (const std::string& competitor : handles) {
        for (const std::string test : {"owner", "non-owner", "after sharing"}) {
            cells.emplace(competitor, test, -1);
        }
    }
    return cells;
}

void add_rust(std::set<cell>& cells, const names& tests) {
    for (const std::string competitor : {"Rc", "Arc", "triomphe::Arc"}) {
        for (const std::string& test : tests) cells.emplace(competitor, test, -1);
    }
}

void add_libcxx(std::set<cell>& cells, const names& tests) {
    for (const std::string competitor : {"std::shared_ptr, libc++", "std::make_shared, libc++"}) {
        for (const std::string& test : tests) cells.emplace(competitor, test, -1);
    }
}

/// Those of the seed's program are of other competitors than a suite's own, in each process alike.
std::set<cell> expected_cells(const std::string& suite, const std::string& process) {
    if (suite == "threads") return expected_cells_of_threads();
    if (suite == "packets") return expected_cells_of_packets();
    if (suite == "zeroing") return expected_cells_of_zeroing();
    if (suite == "buffers") return expected_cells_of_buffers();
    std::set<cell> cells;
    for (const std::string& competitor : expected_competitors(suite, process)) {
        for (const auto& [test, n] : expected_tests(suite)) cells.emplace(competitor, test, n);
    }
    if (suite == "operations") {
        add_what_not_all_can(cells, process);
        add_libcxx(cells, {"copy", "move", "lock"});
        if (process == "threaded") add_rust(cells, {"copy", "move"});
        return cells;
    }
    if (suite != "construction") return cells;
    add_libcxx(cells, {"one", "1024 alive"});
    if (process == "threaded") add_rust(cells, {"one", "1024 alive"});
    for (const std::string test :
         {"seed -O0 libstdc++", "seed -O3 libstdc++", "seed -O0 libc++", "seed -O3 libc++"}) {
        for (const std::string competitor :
             {"new and delete", "new and delete, kept", "std::unique_ptr(new)",
              "std::unique_ptr(new), kept", "std::make_unique", "std::shared_ptr(new)",
              "std::make_shared", "freehold::shared_ptr(new)", "freehold::make_shared",
              "freehold::make_arc"}) {
            cells.emplace(competitor, test, -1);
        }
    }
    return cells;
}

void check_figure(const json& line, const std::string& suite, bool timed) {
    const double value = line.at("value");
    const std::string unit = line.at("unit");
    const bool joint =
        timed && ((suite == "zeroing" && unit != "s") || (suite == "buffers" && unit != "ns"));
    const names units = joint && suite == "zeroing" ? names{"s/GiB", "faults/GiB", "%"}
                        : joint                     ? names{"%", "bytes", "calls"}
                        : timed                     ? names{"ns", "s", "ms"}
                        : suite == "buffers"        ? names{"bytes", "%", "buffers", "calls"}
                                                    : names{"bytes", "instructions"};
    EXPECT_TRUE(units.count(unit)) << line;
    if (timed) {
        EXPECT_TRUE(joint ? value >= 0 : value > 0) << line;
        EXPECT_EQ(line.at("repetition"), 0) << line;
    } else {
        EXPECT_GE(value, 0) << line;
    }
    if (line.contains("note")) {
        const std::string note = line.at("note");
        EXPECT_TRUE(suite == "footprint" ? names({"I", "O", "V"}).count(note) == 1 : !note.empty())
            << line;
    }
}

void check_run(const built_lab& lab, const std::string& suite, const std::string& process) {
    SCOPED_TRACE(std::string(lab.name) + " " + suite + " " + process);
    const outcome ran = run_command(lab.path, "run " + suite + " --process " + process +
                                                  " --repetitions 1 --min-time 0.00001 --data 16");
    ASSERT_EQ(ran.status, 0);
    const std::vector<json> lines = parse_lines(ran.output);
    ASSERT_GE(lines.size(), 3u);
    EXPECT_EQ(lines.front().at("event"), "plan");
    EXPECT_EQ(lines.back(), json({{"event", "done"}}));

    std::size_t figures = 0;
    std::set<cell> cells;
    std::set<std::pair<std::string, std::string>> absent;
    for (std::size_t i = 1; i + 1 < lines.size(); ++i) {
        const json& line = lines[i];
        const std::string event = line.at("event");
        if (event == "skipped") {
            EXPECT_NE(line.at("reason"), "") << line;
            absent.emplace(line.at("competitor"), line.at("test"));
            continue;
        }
        ASSERT_TRUE(event == "sample" || event == "exact") << line;
        check_figure(line, suite, event == "sample");
        const cell key(line.at("competitor"), line.at("test"), line.value("n", -1));
        EXPECT_TRUE(cells.insert(key).second) << "twice: " << line;
        ++figures;
    }
    EXPECT_EQ(lines.front().at("runs"), figures);

    std::set<cell> expected = expected_cells(suite, process);
    for (auto it = expected.begin(); it != expected.end();) {
        const auto& [competitor, test, n] = *it;
        it = absent.count({competitor, test}) != 0 ? expected.erase(it) : std::next(it);
    }
    EXPECT_EQ(cells, expected);
}

class lab_protocol : public testing::TestWithParam<built_lab> {
protected:
    json description() const {
        const outcome ran = run_command(GetParam().path, "describe");
        EXPECT_EQ(ran.status, 0);
        return json::parse(ran.output);
    }

    void check_suite(const std::string& name) const {
        const json suites = description().at("suites");
        std::size_t found = 0;
        for (const json& suite : suites) {
            if (suite.at("name") != name) continue;
            for (const json& process : suite.at("processes")) {
                check_run(GetParam(), name, process);
                ++found;
            }
        }
        EXPECT_EQ(found,
                  names({"footprint", "threads", "packets", "zeroing", "buffers"}).count(name) == 1
                      ? 1u
                      : 2u);
    }
};

TEST_P(lab_protocol, describes_itself) {
    const json d = description();
    EXPECT_EQ(d.at("format"), "freehold-lab");
    EXPECT_EQ(d.at("version"), 1);
    EXPECT_EQ(d.at("compiler").get<std::string>().find(GetParam().name), 0u) << d;
    EXPECT_NE(d.at("flags").get<std::string>().find("-O3 -DNDEBUG"), std::string::npos) << d;
    EXPECT_NE(d.at("standard_library"), "");
    EXPECT_TRUE(std::regex_match(d.at("library").at("version").get<std::string>(),
                                 std::regex("[0-9]+\\.[0-9]+\\.[0-9]+")));
    for (const json& peer : d.at("peers")) EXPECT_NE(peer.at("version"), "") << peer;
    names suites;
    for (const json& suite : d.at("suites")) suites.insert(suite.at("name"));
    EXPECT_EQ(suites, (names{"operations", "containers", "footprint", "cycles", "construction",
                             "threads", "packets", "zeroing", "cold_scan", "buffers"}));
}

TEST_P(lab_protocol, measures_operations) {
    check_suite("operations");
}
TEST_P(lab_protocol, measures_containers) {
    check_suite("containers");
}
TEST_P(lab_protocol, measures_footprints) {
    check_suite("footprint");
}
TEST_P(lab_protocol, measures_cycles) {
    check_suite("cycles");
}
TEST_P(lab_protocol, measures_construction) {
    check_suite("construction");
}
TEST_P(lab_protocol, measures_threads) {
    check_suite("threads");
}

TEST_P(lab_protocol, measures_packets) {
    check_suite("packets");
}

TEST_P(lab_protocol, measures_zeroing) {
    check_suite("zeroing");
}

TEST_P(lab_protocol, measures_buffers) {
    check_suite("buffers");
}

TEST(lab_readme, names_the_competitors_of_buffers) {
    names measured;
    for (const auto& [competitor, test, n] : expected_cells_of_buffers())
        measured.insert(competitor);
    EXPECT_EQ(documented_competitors("## Competitors of `buffers`"), measured);
}

TEST(lab_readme, names_the_competitors_of_cold_scan) {
    names measured;
    for (const auto& [competitor, test, n] : expected_cells_of_cold_scan())
        measured.insert(competitor);
    EXPECT_EQ(documented_competitors("## Competitors of `cold_scan`"), measured);
}

TEST(lab_readme, names_the_competitors_of_zeroing) {
    names measured;
    for (const auto& [competitor, test, n] : expected_cells_of_zeroing())
        measured.insert(competitor);
    EXPECT_EQ(documented_competitors("## Competitors of `zeroing`"), measured);
}

TEST(lab_readme, names_the_competitors_of_packets) {
    const std::string over = "std::allocate_shared over ";
    names measured;
    for (const auto& [competitor, test, n] : expected_cells_of_packets()) {
        measured.insert(competitor.rfind(over, 0) == 0 ? over + "NAME" : competitor);
    }
    EXPECT_EQ(documented_competitors("## Competitors of `packets`"), measured);
}

TEST_P(lab_protocol, reports_each_repetition_of_what_the_filter_chose) {
    const outcome ran = run_command(GetParam().path,
                                    "run operations --process threaded --repetitions 3 "
                                    "--min-time 0.00001 --filter '^std::u'");
    ASSERT_EQ(ran.status, 0);
    names competitors;
    std::set<std::tuple<std::string, int, int>> samples;
    for (const json& line : parse_lines(ran.output)) {
        if (line.at("event") != "sample") continue;
        competitors.insert(line.at("competitor"));
        if (line.at("test") != "hold") continue;
        samples.emplace(line.at("competitor"), line.at("n"), line.at("repetition"));
    }
    EXPECT_EQ(competitors, (names{"raw", "dumb", "std::unique_ptr", "plain pair", "locked pair",
                                  "locked pair, stored"}));
    EXPECT_EQ(samples.size(), 3u * 6u * 3u);
}

TEST_P(lab_protocol, says_in_one_line_what_is_wrong) {
    const std::string ok = " --process threaded --repetitions 1 --min-time 0.01";
    for (const std::string& arguments :
         {std::string("run nonsense") + ok, "run operations --filter '('" + ok,
          std::string("run footprint --process single --repetitions 1 --min-time 0.01"),
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
