// SPDX-License-Identifier: BSL-1.0
// The peers beside each lab that measure allocators which cannot live in its own executable.
#include "lab/lab_output.hpp"
#include "lab/scripted_peers.hpp"
#include "lab_paths.hpp"
#include "program/temporary_folder.hpp"
#include "runner/peer.hpp"

#include <cstddef>
#include <filesystem>
#include <ostream>
#include <regex>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include <gtest/gtest.h>

namespace {

using lab::peer;
using lab::process_kind;
using namespace lab_tests;
namespace fs = std::filesystem;

struct packets_peer {
    const char* file;
    const char* competitor;
    bool has_bulk;
    const char* part;
};

void PrintTo(const packets_peer& tested, std::ostream* out) {
    *out << tested.competitor;
}

constexpr packets_peer of_allocators[] = {
    {"packets-mimalloc", "mimalloc", false, "mimalloc"},
    {"packets-mimalloc_3", "mimalloc 3", false, "mimalloc 3"},
    {"packets-snmalloc", "snmalloc", false, "snmalloc"},
    {"packets-jemalloc", "jemalloc", false, "jemalloc"},
    {"packets-tcmalloc", "tcmalloc", false, "tcmalloc"},
};
constexpr packets_peer of_dpdk[] = {
    {"packets-rte_mempool-ring", "rte_mempool, ring", true, "DPDK"},
    {"packets-rte_mempool-stack", "rte_mempool, stack", true, "DPDK"},
    {"packets-rte_mempool-lf_stack", "rte_mempool, lf_stack", true, "DPDK"},
};

using cell_names = std::set<std::pair<std::string, std::string>>;

cell_names expected_of(const packets_peer& tested) {
    cell_names names;
    for (const char* const test :
         {"same thread, one", "same thread, burst", "same thread, fifo", "across, untouched",
          "across, 64 bytes", "across, whole packet", "several, untouched", "several, 64 bytes",
          "several, whole packet"}) {
        names.emplace(tested.competitor, test);
    }
    if (tested.has_bulk) names.emplace(tested.competitor, "same thread, bulk");
    for (const char* const test : {"shared across, untouched", "shared across, 64 bytes",
                                   "shared across, whole packet", "shared several, untouched",
                                   "shared several, 64 bytes", "shared several, whole packet"}) {
        names.emplace(std::string("std::allocate_shared over ") + tested.competitor, test);
    }
    return names;
}

class packets_peers : public testing::TestWithParam<std::tuple<built_lab, packets_peer>> {
protected:
    static const packets_peer& tested() { return std::get<packets_peer>(GetParam()); }
    static fs::path executable() {
        return fs::path(std::get<built_lab>(GetParam()).path).parent_path() / "peers" /
               tested().file;
    }
};

TEST_P(packets_peers, have_these_cells) {
    const peer started(executable(), process_kind::threaded);
    cell_names names;
    for (const auto& cell : started.description().cells) {
        EXPECT_EQ(cell.suite, "packets");
        EXPECT_EQ(cell.unit, "ns");
        EXPECT_FALSE(cell.once);
        EXPECT_FALSE(cell.n.has_value());
        names.emplace(cell.competitor, cell.test);
    }
    EXPECT_EQ(names, expected_of(tested()));
}

TEST_P(packets_peers, measure_each_cell) {
    peer started(executable(), process_kind::threaded);
    if (!started.description().missing.empty()) GTEST_SKIP() << started.description().missing;
    const auto& cells = started.description().cells;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        SCOPED_TRACE(cells[i].test);
        EXPECT_GT(started.measure(i, 1), 0);
        EXPECT_GT(started.measure(i, 1), 0) << "a second time, when threads have come and gone";
    }
}

TEST_P(packets_peers, name_what_they_measure) {
    const peer started(executable(), process_kind::threaded);
    if (!started.description().missing.empty()) GTEST_SKIP() << started.description().missing;
    const auto& parts = started.description().peers;
    ASSERT_EQ(parts.size(), 1u);
    EXPECT_EQ(parts[0].name, tested().part);
    EXPECT_TRUE(std::regex_search(parts[0].version, std::regex("[0-9]+\\.[0-9]+")))
        << parts[0].version;
}

TEST_P(packets_peers, start_in_single_too_where_packets_are_not_measured) {
    EXPECT_NO_THROW(peer(executable(), process_kind::single));
}

class packets_peers_of_dpdk : public packets_peers {};

TEST_P(packets_peers_of_dpdk, say_what_hinders_them_where_they_get_little_memory) {
    if (const peer here(executable(), process_kind::threaded);
        !here.description().missing.empty()) {
        GTEST_SKIP() << here.description().missing;
    }
    const freehold::temporary_folder folder;
    const auto confined = write_peer(
        folder, "confined", "ulimit -v 100000; exec '" + executable().string() + "' \"$@\"\n");
    const peer started(confined, process_kind::threaded);
    EXPECT_EQ(started.description().missing.rfind("DPDK does not start: ", 0), 0u)
        << started.description().missing;
}

std::string name_of(const testing::TestParamInfo<std::tuple<built_lab, packets_peer>>& tested) {
    const std::string name = std::string(std::get<built_lab>(tested.param).name) + "_" +
                             std::get<packets_peer>(tested.param).competitor;
    return std::regex_replace(std::regex_replace(name, std::regex("\\+\\+"), "xx"),
                              std::regex("[^a-z0-9]+"), "_");
}

const auto each_of_dpdk =
    testing::Combine(testing::ValuesIn(built_labs), testing::ValuesIn(of_dpdk));

INSTANTIATE_TEST_SUITE_P(of_allocators, packets_peers,
                         testing::Combine(testing::ValuesIn(built_labs),
                                          testing::ValuesIn(of_allocators)),
                         name_of);
INSTANTIATE_TEST_SUITE_P(of_dpdk, packets_peers, each_of_dpdk, name_of);
INSTANTIATE_TEST_SUITE_P(each, packets_peers_of_dpdk, each_of_dpdk, name_of);

}  // namespace
