// SPDX-License-Identifier: BSL-1.0
// Finds a clang-tidy and the plug-in for its version, and runs both on one file.
#pragma once

#include "check/check_command.hpp"

#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

namespace freehold {

/// what() is one line that names the remedy.
class check_error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

struct clang_tidy {
    std::string executable;
    std::filesystem::path plugin;
};

/// Returns the newest version of clang for which both are installed. Throws check_error with the
/// name of the missing package.
clang_tidy find_clang_tidy();

struct tidy_run {
    int status = 0;
    std::string output;
};

/// Several threads may call it at once, unless `fix` is true.
tidy_run run_clang_tidy(const clang_tidy& tool, const check_options& options,
                        const std::filesystem::path& file, const std::filesystem::path& project,
                        bool fix);

/// The folder of the file's compilation database. Throws check_error if there is none.
std::filesystem::path compilation_database(const check_options& options,
                                           const std::filesystem::path& file);

/// Returns false for a file of C. Throws check_error if there is no database that tells how the
/// file is compiled.
bool is_cpp(const check_options& options, const std::filesystem::path& file);

/// The folders that clang-tidy's relative names may be relative to, the likeliest first.
std::vector<std::filesystem::path> folders_of_names(const check_options& options,
                                                    const std::filesystem::path& file);

/// The nearest folder above the file that is a repository, or the file's own folder if there is
/// none.
std::filesystem::path project_of(const std::filesystem::path& file);

}  // namespace freehold
