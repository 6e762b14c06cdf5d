// SPDX-License-Identifier: BSL-1.0
// Programs that tests compile, to run the program `freehold` over them.
#pragma once

#include "program/temporary_folder.hpp"
#include "support/process.hpp"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace freehold {

/// Returns the program that `COMPILER FLAGS... SOURCE LIBRARIES...` makes. Each is compiled once in
/// the process, and must not be changed.
inline std::filesystem::path compiled_once(const std::string& compiler,
                                           const std::vector<std::string>& flags,
                                           const std::filesystem::path& source,
                                           const std::vector<std::string>& libraries) {
    std::vector<std::string> command = {compiler, "-std=c++17", "-pthread"};
    command.insert(command.end(), flags.begin(), flags.end());
    command.push_back(source.string());
    command.insert(command.end(), libraries.begin(), libraries.end());
    static const temporary_folder kept;
    static std::map<std::vector<std::string>, std::filesystem::path> programs;
    const auto [found, is_new] = programs.try_emplace(
        command, kept.path() / (source.stem().string() + "_" + std::to_string(programs.size())));
    if (is_new) {
        command.insert(command.end(), {"-o", found->second.string()});
        const support::finished_process compilation = support::run({.command = command});
        EXPECT_EQ(compilation.status, 0) << compilation.output;
    }
    return found->second;
}

}  // namespace freehold
