// SPDX-License-Identifier: BSL-1.0
// `freehold owners`: says who keeps what alive in a process, a core or a program that ends.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace freehold {

struct owners_options {
    std::string process;  // its number; one of these three is given
    std::filesystem::path core;
    std::vector<std::string> command;
    std::filesystem::path program;   // of the core
    std::optional<std::string> who;  // a type or an address
    std::size_t top = 10;
    std::optional<std::filesystem::path> json;
    std::optional<std::filesystem::path> page;
    std::optional<double> every;  // seconds between looks at a process
    std::size_t looks = 10;
};

/// Returns the exit status. Throws an exception whose text is one line.
int owners_command(const owners_options& options);

}  // namespace freehold
