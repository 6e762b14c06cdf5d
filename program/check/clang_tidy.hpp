// SPDX-License-Identifier: BSL-1.0
// Finds a clang-tidy and the plug-in that was built for its version, and runs them on one file.
#pragma once

#include "check/check_command.hpp"

#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

namespace freehold {

/// what() is one line that says what to do.
class check_error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

struct clang_tidy {
    std::string executable;
    std::filesystem::path plugin;
};

/// The newest version that both are there for. Throws check_error with the name of the package that
/// is missing.
clang_tidy find_clang_tidy();

struct tidy_run {
    int status = 0;
    std::string output;
};

/// Safe to call from several threads at once, unless it fixes.
tidy_run run_clang_tidy(const clang_tidy& tool, const check_options& options,
                        const std::filesystem::path& file, const std::filesystem::path& project,
                        bool fix);

/// The folder of the compilation database for the file. Throws check_error if there is none.
std::filesystem::path compilation_database(const check_options& options,
                                           const std::filesystem::path& file);

/// The nearest folder above the file that is a repository; else the file's own.
std::filesystem::path project_of(const std::filesystem::path& file);

}  // namespace freehold
