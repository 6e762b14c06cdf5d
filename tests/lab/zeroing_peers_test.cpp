// SPDX-License-Identifier: BSL-1.0
// The peers beside each lab that make lines over another malloc.
#include "lab/lab_output.hpp"
#include "lab/zeroing_cells.hpp"
#include "lab_paths.hpp"
#include "runner/peer.hpp"

#include <cstddef>
#include <filesystem>
#include <regex>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

namespace {

using lab::peer;
using lab::process_kind;
using namespace lab_tests;

using subject = std::tuple<built_lab, const char*>;

class zeroing_peers : public testing::TestWithParam<subject> {
protected:
    static std::string competitor() { return std::get<1>(GetParam()); }
    peer started{std::filesystem::path(std::get<0>(GetParam()).path).parent_path() / "peers" /
                     ("zeroing-" + competitor()),
                 process_kind::threaded};
};

TEST_P(zeroing_peers, have_these_figures) {
    names tests;
    EXPECT_TRUE(started.description().cells.empty());
    for (const auto& cell : started.description().joint_cells) {
        EXPECT_EQ(cell.suite, "zeroing");
        EXPECT_EQ(cell.competitor, competitor());
        for (const auto& figure : cell.figures) {
            const bool counted = figure.test.find("faults") != std::string::npos;
            EXPECT_EQ(figure.unit, counted ? "faults/GiB" : "s/GiB") << figure.test;
            EXPECT_TRUE(tests.insert(figure.test).second) << figure.test;
        }
    }
    EXPECT_EQ(tests, figures_of_lines(line_tests));
}

TEST_P(zeroing_peers, measure_lines_of_their_own_malloc) {
    const auto& told = started.description();
    if (!told.missing.empty()) GTEST_SKIP() << told.missing;
    ASSERT_EQ(told.peers.size(), 1u);
    EXPECT_EQ(told.peers[0].name, competitor());
    EXPECT_TRUE(std::regex_search(told.peers[0].version, std::regex("[0-9]+\\.[0-9]+")))
        << told.peers[0].version;
    for (std::size_t i = 0; i < told.joint_cells.size(); ++i) {
        const auto& figures = told.joint_cells[i].figures;
        SCOPED_TRACE(figures.front().test);
        const std::vector<double> values = started.measure_jointly(i, 16);
        ASSERT_EQ(values.size(), figures.size());
        EXPECT_GT(values[0], 0);
        EXPECT_NEAR(values[1] + values[2], values[0], values[0] * 1e-6) << "user and system";
        EXPECT_GT(values[3], 0) << "by the wall clock";
        EXPECT_EQ(values[5], 0) << "nothing is set to zero";
    }
}

std::string name_of(const testing::TestParamInfo<subject>& tested) {
    const std::string name =
        std::string(std::get<0>(tested.param).name) + "_" + std::get<1>(tested.param);
    return std::regex_replace(name, std::regex("\\+\\+"), "xx");
}

INSTANTIATE_TEST_SUITE_P(each, zeroing_peers,
                         testing::Combine(testing::ValuesIn(built_labs),
                                          testing::Values("mimalloc", "jemalloc", "tcmalloc")),
                         name_of);

}  // namespace
