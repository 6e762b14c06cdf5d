// SPDX-License-Identifier: BSL-1.0
// Compiles the programs of cases/, and runs `freehold handles` over them.
#pragma once

#include "program/compiled_program.hpp"
#include "program/measure/program_run.hpp"
#include "program/temporary_folder.hpp"
#include "skip.hpp"
#include "support/descriptor.hpp"
#include "support/process.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace freehold {

namespace fs = std::filesystem;
using nlohmann::json;

struct build {
    std::string compiler;
    const char* level;
};

/// Returns whether programs are compiled at every level by every compiler, as in
/// `scripts/test --all`. By default there are few builds, because each takes seconds.
inline bool is_for_every_build() {
    return std::getenv("FREEHOLD_EVERY_BUILD") != nullptr;
}

/// Levels of optimisation. Code at -Os differs most from that at the others.
inline std::vector<const char*> levels() {
    if (is_for_every_build()) return {"-O1", "-O2", "-Os"};
    return {"-O2", "-Os"};
}

/// Compilers and levels: g++, and clang++ if it is installed.
inline std::vector<build> builds() {
    std::vector<build> result;
    for (const char* const level : levels()) result.push_back({FREEHOLD_COMPILER, level});
    if (*FREEHOLD_CLANG == '\0') return result;
    if (!is_for_every_build()) {
        result.push_back({FREEHOLD_CLANG, "-O2"});
        return result;
    }
    for (const char* const level : levels()) result.push_back({FREEHOLD_CLANG, level});
    return result;
}

/// Compilers and versions of DWARF. Only version 4 has a section of its own for units of types.
inline std::vector<build> formats() {
    std::vector<build> result = {{FREEHOLD_COMPILER, "-gdwarf-4"}};
    if (is_for_every_build()) result.push_back({FREEHOLD_COMPILER, "-gdwarf-5"});
    if (*FREEHOLD_CLANG == '\0') return result;
    result.push_back({FREEHOLD_CLANG, "-gdwarf-5"});
    if (is_for_every_build()) result.push_back({FREEHOLD_CLANG, "-gdwarf-4"});
    return result;
}

class counted_program : public testing::Test {
protected:
    void SetUp() override {
        constexpr const char* lacking = FREEHOLD_HANDLES_LACKS;
        if (*lacking != '\0') return tests::skip_without("handles", lacking);
    }

    /// A test gets a copy of the program, which it may change.
    fs::path compiled(const std::string& name, const std::vector<std::string>& flags,
                      const std::string& compiler = FREEHOLD_COMPILER,
                      const std::string& output = {},
                      const std::vector<std::string>& libraries = {}) {
        const fs::path made = compiled_once(
            compiler, flags, fs::path(FREEHOLD_HANDLES_CASES) / (name + ".cpp"), libraries);
        const fs::path program = folder_.path() / (output.empty() ? name : output);
        fs::copy_file(made, program, fs::copy_options::overwrite_existing);
        return program;
    }

    json counted(const fs::path& program, const std::string& argument = {},
                 const std::vector<std::string>& options = {}) {
        std::vector<std::string> command = {"handles", "--json", json_file().string()};
        command.insert(command.end(), options.begin(), options.end());
        command.insert(command.end(), {"--", program.string()});
        if (!argument.empty()) command.push_back(argument);
        const program_end end = run_program(command);
        EXPECT_EQ(end.exit_status, 0) << end.diagnostics;
        diagnostics_ = end.diagnostics;
        return counted_before();
    }

    json counted_before() {
        std::ifstream file(json_file());
        return json::parse(file);
    }

    fs::path json_file() { return folder_.path() / "counts.json"; }

    void run_tool(const std::vector<std::string>& command) {
        const support::finished_process end = support::run({.command = command});
        EXPECT_EQ(end.status, 0) << end.output;
    }

    temporary_folder folder_;
    std::string diagnostics_;
};

}  // namespace freehold
