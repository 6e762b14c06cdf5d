// SPDX-License-Identifier: BSL-1.0
// Decides whether a result file can take more figures, and adds what a lab describes.
#pragma once

#include "measure/lab.hpp"
#include "results/result_file.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace freehold {

/// Returns `fresh` if there is no file yet, otherwise the content of the file. Throws result_error
/// if the two do not fit in one file: if the mode, filter, library version or machine (processor
/// and kernel) differ, or the compiler, flags or standard library of a lab that both name.
[[nodiscard]] result_file begin_or_continue(const std::filesystem::path& path, result_file fresh);

/// Adds what the lab describes: itself, its families, subjects and suites. Replaces descriptions
/// that the results already have.
void add_description(result_file& results, const lab& lab);

/// The labs that have not measured the suite yet, or that have more subjects now than they had
/// then. Returns all labs if the suite was interrupted.
[[nodiscard]] std::vector<lab> labs_to_measure(const result_file& results, const std::string& suite,
                                               const std::vector<lab>& labs);

}  // namespace freehold
