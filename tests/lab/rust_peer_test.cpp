// SPDX-License-Identifier: BSL-1.0
// The peer beside each lab that measures Rust's owners, and what stands in for it where it cannot
// be built.
#include "lab/lab_output.hpp"
#include "lab_paths.hpp"
#include "program/temporary_folder.hpp"
#include "runner/peer.hpp"

#include <cstddef>
#include <filesystem>
#include <regex>
#include <set>
#include <string>
#include <tuple>

#include <gtest/gtest.h>

namespace {

using lab::peer;
using lab::peer_error;
using lab::process_kind;
using namespace lab_tests;
namespace fs = std::filesystem;

using cell_names = std::set<std::tuple<std::string, std::string, std::string>>;

const cell_names expected = {
    {"operations", "Rc", "copy"},
    {"operations", "Rc", "move"},
    {"construction", "Rc", "one"},
    {"construction", "Rc", "1024 alive"},
    {"operations", "Arc", "copy"},
    {"operations", "Arc", "move"},
    {"construction", "Arc", "one"},
    {"construction", "Arc", "1024 alive"},
    {"threads", "Arc", "one object"},
    {"threads", "Arc", "an object each"},
    {"threads", "Arc", "hand-over"},
    {"operations", "triomphe::Arc", "copy"},
    {"operations", "triomphe::Arc", "move"},
    {"construction", "triomphe::Arc", "one"},
    {"construction", "triomphe::Arc", "1024 alive"},
    {"threads", "triomphe::Arc", "one object"},
    {"threads", "triomphe::Arc", "an object each"},
    {"threads", "triomphe::Arc", "hand-over"},
};

cell_names names_of(const peer& described) {
    cell_names names;
    for (const auto& cell : described.description().cells) {
        names.emplace(cell.suite, cell.competitor, cell.test);
    }
    return names;
}

std::string error_of(peer& asked, std::size_t cell) {
    try {
        asked.measure(cell, 1);
        return "no error";
    } catch (const peer_error& error) {
        return error.what();
    }
}

class rust_peer : public testing::TestWithParam<built_lab> {
protected:
    static fs::path executable() {
        return fs::path(GetParam().path).parent_path() / "peers" / "rust";
    }
};

TEST_P(rust_peer, has_these_cells) {
    EXPECT_EQ(names_of(peer(executable(), process_kind::threaded)), expected);
    EXPECT_EQ(names_of(peer(executable(), process_kind::single)), cell_names());
}

TEST_P(rust_peer, measures_each_cell) {
    peer rust(executable(), process_kind::threaded);
    if (!rust.description().missing.empty()) GTEST_SKIP() << rust.description().missing;
    const auto& cells = rust.description().cells;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        SCOPED_TRACE(cells[i].competitor + " " + cells[i].test);
        EXPECT_EQ(cells[i].unit, "ns");
        EXPECT_FALSE(cells[i].once);
        EXPECT_GT(rust.measure(i, 2), 0);
        const bool by_threads = cells[i].test == "one object" || cells[i].test == "an object each";
        EXPECT_EQ(cells[i].n.has_value(), by_threads);
    }
    EXPECT_EQ(rust.failure(), "");
}

TEST_P(rust_peer, names_what_it_measures_with) {
    const peer rust(executable(), process_kind::threaded);
    if (!rust.description().missing.empty()) GTEST_SKIP() << rust.description().missing;
    const auto& parts = rust.description().peers;
    ASSERT_EQ(parts.size(), 2u);
    EXPECT_EQ(parts[0].name, "Rust");
    EXPECT_EQ(parts[1].name, "triomphe");
    for (const auto& part : parts) {
        EXPECT_TRUE(std::regex_search(part.version, std::regex("^[0-9]+\\.[0-9]+\\.[0-9]+")))
            << part.version;
    }
}

TEST_P(rust_peer, says_what_is_wrong_with_a_request) {
    peer rust(executable(), process_kind::threaded);
    if (!rust.description().missing.empty()) GTEST_SKIP() << rust.description().missing;
    EXPECT_EQ(error_of(rust, 1000),
              "peer rust ended with status 1: `1000 1` is not the index of a cell and iterations");
}

INSTANTIATE_TEST_SUITE_P(each, rust_peer, testing::ValuesIn(built_labs), name_of_lab);

TEST(rust_peer_without_cargo, has_the_same_cells_and_says_why_they_are_missing) {
    const freehold::temporary_folder folder;
    const fs::path cargo =
        folder.write("cargo", "#!/bin/sh\necho 'error: no `\"crates\\\"` $HERE' >&2\nexit 101\n");
    fs::permissions(cargo, fs::perms::owner_all);
    const fs::path executable = folder / "peers/rust";
    const outcome built = run_command(
        FREEHOLD_CMAKE, "-DCARGO='" + cargo.string() + "' -DBUILD='" + (folder / "build").string() +
                            "' -DPEER='" + executable.string() +
                            "' -P '" FREEHOLD_RUST_PEER_SCRIPT "' 2>&1");
    ASSERT_EQ(built.status, 0) << built.output;

    const peer stand_in(executable, process_kind::threaded);
    EXPECT_EQ(names_of(stand_in), expected);
    EXPECT_EQ(stand_in.description().missing,
              "cargo cannot build it (error: no `\"crates\\\"` $HERE): `cargo build --release "
              "--locked` in lab/peers/rust says why");
    EXPECT_EQ(names_of(peer(executable, process_kind::single)), cell_names());
}

}  // namespace
