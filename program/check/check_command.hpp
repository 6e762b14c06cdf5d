// SPDX-License-Identifier: BSL-1.0
// `freehold check`: finds memory that is zeroed and then overwritten, with clang-tidy and a
// plug-in.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace freehold {

struct check_options {
    std::vector<std::filesystem::path> files;
    std::vector<std::string> flags;  // compiler flags to use instead of a compilation database
    bool has_flags = false;
    std::optional<std::filesystem::path> build;  // the folder with compile_commands.json
    std::optional<std::filesystem::path> results;
    std::optional<std::filesystem::path> sarif;
    std::uint64_t min_bytes = 256;
    bool fix = false;
    bool json = false;
    bool verbose = false;  // also tell what took too long
};

/// Returns 0 if nothing was found, 1 if a file could not be checked, and 2 if something was found.
/// Throws check_error if nothing can be checked.
int check_command(const check_options& options);

}  // namespace freehold
