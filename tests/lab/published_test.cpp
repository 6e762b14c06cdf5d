// SPDX-License-Identifier: BSL-1.0
// The tables of "Smart Pointer Timings" are all there, and say what the page says.
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <tuple>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace {

using nlohmann::json;

const json& page() {
    static const json parsed = json::parse(std::ifstream(FREEHOLD_PUBLISHED));
    return parsed;
}

const json& figure(const std::string& compiler, const std::string& competitor,
                   const std::string& test) {
    for (const json& m : page().at("measurements")) {
        if (m.at("compiler") == compiler && m.at("competitor") == competitor &&
            m.at("test") == test) {
            return m;
        }
    }
    throw std::runtime_error("no " + test + " of " + competitor + " with " + compiler);
}

TEST(published, names_its_source) {
    EXPECT_EQ(page().at("format"), "freehold-published");
    EXPECT_EQ(page().at("version"), 1);
    EXPECT_EQ(page().at("title"), "Smart Pointer Timings");
    EXPECT_EQ(page().at("author"), "Gavin Collings");
    EXPECT_EQ(page().at("revised"), "2001-08-19");
    EXPECT_NE(page().at("copyright").get<std::string>().find("this copyright notice"),
              std::string::npos);
}

TEST(published, has_every_row_of_every_table_once) {
    std::map<std::pair<std::string, std::string>, int> rows;
    std::set<std::tuple<std::string, std::string, std::string>> keys;
    for (const json& m : page().at("measurements")) {
        const std::string compiler = m.at("compiler");
        const std::string test = m.at("test");
        EXPECT_TRUE(keys.emplace(compiler, m.at("competitor"), test).second) << m;
        ++rows[{compiler, test}];
    }
    std::map<std::pair<std::string, std::string>, int> expected;
    for (const std::string compiler : {"MSVC 6.0", "gcc 2.95.2"}) {
        for (const std::string test : {"initialisation", "copy"}) expected[{compiler, test}] = 7;
        for (const std::string test : {"vector fill", "vector sort", "list fill", "list sort"}) {
            expected[{compiler, test}] = 6;
        }
        expected[{compiler, "handle"}] = 5;
    }
    for (const std::string operation : {"ptr()", "ptr(p)", "ptr(ptr)", "op=", "~ptr()"}) {
        expected[{"MSVC 6.0", operation + " instructions"}] = 4;
        expected[{"MSVC 6.0", operation + " bytes"}] = 4;
    }
    EXPECT_EQ(rows, expected);
}

TEST(published, has_the_figures_that_the_page_prints) {
    EXPECT_EQ(figure("MSVC 6.0", "raw", "initialisation").at("value"), 1038);
    EXPECT_EQ(figure("MSVC 6.0", "raw", "initialisation").at("two_deviations"), 30);
    EXPECT_EQ(figure("gcc 2.95.2", "linked", "copy").at("value"), 345);
    EXPECT_EQ(figure("gcc 2.95.2", "linked", "copy").at("two_deviations"), 26);
    EXPECT_EQ(figure("gcc 2.95.2", "simple counted", "list fill").at("value"), 47.09);
    EXPECT_EQ(figure("gcc 2.95.2", "cyclic", "vector fill").at("value"), 22.60);
    EXPECT_EQ(figure("MSVC 6.0", "linked", "vector sort").at("value"), 2.00);
    EXPECT_EQ(figure("MSVC 6.0", "special counted", "ptr(p) bytes").at("value"), 141);
    EXPECT_EQ(figure("MSVC 6.0", "special counted", "ptr(p) bytes").at("note"), "O");
    EXPECT_EQ(figure("MSVC 6.0", "linked", "op= instructions").at("value"), 27);
    EXPECT_EQ(figure("MSVC 6.0", "linked", "op= instructions").at("note"), "I");
    EXPECT_EQ(figure("gcc 2.95.2", "special counted", "handle").at("value"), 12);
}

TEST(published_by_oxla, has_the_figures_that_the_page_prints_and_the_ratios_that_it_draws) {
    const json oxla = json::parse(std::ifstream(FREEHOLD_PUBLISHED_BY_OXLA));
    EXPECT_EQ(oxla.at("format"), "freehold-published");
    EXPECT_EQ(oxla.at("title"), "The unexpected cost of shared pointers");
    std::map<std::pair<std::string, std::string>, double> seconds;
    for (const json& m : oxla.at("measurements")) {
        EXPECT_EQ(m.at("unit"), "s");
        EXPECT_TRUE(
            seconds.emplace(std::pair(m.at("competitor"), m.at("test")), m.at("value")).second)
            << m;
    }
    EXPECT_EQ(seconds.size(), 10u);
    const std::string without = "std::make_shared";
    const std::string with = "std::make_shared, constructor";
    EXPECT_EQ(seconds.at({without, "seed, small"}), 0.452447);
    EXPECT_EQ(seconds.at({with, "seed, large"}), 1.051e-05);
    const auto saved = [&](const std::string& test) {
        return 1 - seconds.at({with, test}) / seconds.at({without, test});
    };
    EXPECT_NEAR(saved("seed, small, written"), 0.07, 0.005);
    EXPECT_NEAR(saved("seed, large, written"), 0.19, 0.005);
    EXPECT_NEAR(saved("seed, large, written, all threads"), 0.40, 0.005);
}

}  // namespace
