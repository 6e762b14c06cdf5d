// SPDX-License-Identifier: BSL-1.0
// Running a lab, and reading what it prints.
#pragma once

#include "lab_paths.hpp"

#include <array>
#include <cstdio>
#include <ostream>
#include <regex>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/wait.h>

/// For the names that ctest shows.
inline void PrintTo(const built_lab& lab, std::ostream* out) {
    *out << lab.name;
}

namespace lab_tests {

inline std::string name_of_lab(const testing::TestParamInfo<built_lab>& tested) {
    return std::regex_replace(std::string(tested.param.name), std::regex("\\+\\+"), "xx");
}

struct outcome {
    std::string output;
    int status;
};

inline outcome run_command(const std::string& path, const std::string& arguments) {
    const std::string command = "'" + path + "' " + arguments;
    std::FILE* const pipe = popen(command.c_str(), "r");
    if (pipe == nullptr) throw std::runtime_error("cannot run " + command);
    outcome result{};
    std::array<char, 4096> block;
    while (const std::size_t n = std::fread(block.data(), 1, block.size(), pipe)) {
        result.output.append(block.data(), n);
    }
    const int status = pclose(pipe);
    result.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return result;
}

inline std::vector<nlohmann::json> parse_lines(const std::string& text) {
    std::vector<nlohmann::json> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines.push_back(nlohmann::json::parse(line));
    return lines;
}

}  // namespace lab_tests
