// SPDX-License-Identifier: BSL-1.0
// Whether a result file can take more figures, and what a lab adds to it.
#pragma once

#include "measure/lab.hpp"
#include "results/result_file.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace freehold {

/// `fresh` if there is no file yet. Otherwise what the file holds. Throws result_error if both
/// cannot stand in one file: their mode, filter, library version, machine (processor and kernel),
/// or the compiler, flags or standard library of a lab that both name differ.
[[nodiscard]] result_file begin_or_continue(const std::filesystem::path& path, result_file fresh);

/// Adds what the lab describes: itself, its families, subjects and suites. A description that the
/// results have already is replaced.
void add_description(result_file& results, const lab& lab);

/// The labs that have not measured the suite yet, or that have more subjects now than when they
/// did. All of them if the suite was interrupted.
[[nodiscard]] std::vector<lab> labs_to_measure(const result_file& results, const std::string& suite,
                                               const std::vector<lab>& labs);

}  // namespace freehold
