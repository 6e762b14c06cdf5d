// SPDX-License-Identifier: BSL-1.0
// Running a lab, and reading what it prints.
#pragma once

#include "lab_paths.hpp"
#include "support/process.hpp"

#include <ostream>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

/// For the names that ctest shows.
inline void PrintTo(const built_lab& lab, std::ostream* out) {
    *out << lab.name;
}

namespace lab_tests {

inline std::string name_of_lab(const testing::TestParamInfo<built_lab>& tested) {
    return std::regex_replace(std::string(tested.param.name), std::regex("\\+\\+"), "xx");
}

using outcome = support::finished_process;

/// `arguments` are words of a shell.
inline outcome run_command(const std::string& path, const std::string& arguments) {
    return support::run({.command = {"sh", "-c", "'" + path + "' " + arguments}}, false);
}

inline std::vector<nlohmann::json> parse_lines(const std::string& text) {
    std::vector<nlohmann::json> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines.push_back(nlohmann::json::parse(line));
    return lines;
}

}  // namespace lab_tests
