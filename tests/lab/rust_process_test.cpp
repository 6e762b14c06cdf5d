// SPDX-License-Identifier: BSL-1.0
// The process beside each lab that measures Rust's owners, and what stands in for it where it
// cannot be built.
#include "lab/lab_output.hpp"
#include "lab_paths.hpp"
#include "program/temporary_folder.hpp"
#include "runner/external_process.hpp"
#include "skip.hpp"

#include <cstddef>
#include <filesystem>
#include <regex>
#include <set>
#include <string>
#include <tuple>

#include <gtest/gtest.h>

namespace rust_process_test {
namespace {

using lab::external_process;
using lab::process_error;
using lab::process_kind;
using namespace lab_tests;
namespace fs = std::filesystem;

using cell_names = std::set<std::tuple<std::string, std::string, std::string>>;

cell_names names_of(const external_process& described) {
    cell_names names;
    for (const auto& cell : described.description().cells) {
        names.emplace(cell.suite, cell.subject, cell.case_key);
    }
    return names;
}

std::string error_of(external_process& asked, std::size_t cell) {
    try {
        asked.measure(cell, 1);
        return "no error";
    } catch (const process_error& error) {
        return error.what();
    }
}

class rust_process : public testing::TestWithParam<built_lab> {
protected:
    static fs::path executable() {
        return fs::path(GetParam().path).parent_path() / "freehold-lab.processes" / "rust";
    }
};

TEST_P(rust_process, measures_each_cell) {
    external_process rust(executable(), process_kind::threaded);
    if (const std::string why = rust.description().why_missing("arc"); !why.empty()) {
        return freehold::tests::skip_without("rust", why);
    }
    const auto& cells = rust.description().cells;
    ASSERT_FALSE(cells.empty());
    for (std::size_t i = 0; i < cells.size(); ++i) {
        SCOPED_TRACE(cells[i].subject + " " + cells[i].case_key);
        EXPECT_FALSE(cells[i].once);
        EXPECT_GT(rust.measure(i, 2), 0);
        const bool by_threads =
            cells[i].case_key == "one_object" || cells[i].case_key == "an_object_each";
        EXPECT_EQ(cells[i].n.has_value(), by_threads);
    }
    EXPECT_TRUE(names_of(rust).contains({"threads", "arc", "hand_over"}));
    EXPECT_EQ(rust.failure(), "");
}

TEST_P(rust_process, says_what_is_wrong_with_a_request) {
    external_process rust(executable(), process_kind::threaded);
    if (const std::string why = rust.description().why_missing("arc"); !why.empty()) {
        return freehold::tests::skip_without("rust", why);
    }
    EXPECT_EQ(
        error_of(rust, 1000),
        "the process rust ended with status 1: `1000 1` is not the index of a cell and iterations");
}

INSTANTIATE_TEST_SUITE_P(each, rust_process, testing::ValuesIn(built_labs), name_of_lab);

TEST(rust_process_without_cargo, says_why_they_are_missing) {
    const freehold::temporary_folder folder;
    const fs::path cargo =
        folder.write("cargo", "#!/bin/sh\necho 'error: no `\"crates\\\"` $HERE' >&2\nexit 101\n");
    fs::permissions(cargo, fs::perms::owner_all);
    const fs::path executable = folder / "freehold-lab.processes/rust";
    const outcome built = run_command(
        FREEHOLD_CMAKE, "-DCARGO='" + cargo.string() + "' -DBUILD='" + (folder / "build").string() +
                            "' -DPROCESS='" + executable.string() +
                            "' -P '" FREEHOLD_RUST_PROCESS_SCRIPT "' 2>&1");
    ASSERT_EQ(built.status, 0) << built.output;

    const external_process stand_in(executable, process_kind::threaded);
    EXPECT_TRUE(names_of(stand_in).contains({"operations", "triomphe.arc", "copy"}));
    EXPECT_EQ(stand_in.description().why_missing("rc"),
              "cargo cannot build it (error: no `\"crates\\\"` $HERE): `cargo build --release "
              "--locked` in lab/processes/rust says why");
    EXPECT_EQ(names_of(external_process(executable, process_kind::single)), cell_names());
}

}  // namespace
}  // namespace rust_process_test
