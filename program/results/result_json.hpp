// SPDX-License-Identifier: BSL-1.0
// The result file as JSON, without any file access. Its members are those of docs/results.md.
#pragma once

#include "results/result_file.hpp"

#include <nlohmann/json.hpp>

namespace freehold {

/// Throws json_error with the path of the member that is wrong.
[[nodiscard]] result_file results_from_json(const nlohmann::json& document);

/// Members in the order in which docs/results.md lists them.
[[nodiscard]] nlohmann::ordered_json results_to_json(const result_file& results);

/// Reads a member of `families` or `subjects`. The output of a lab has the same members. Throws
/// json_error.
[[nodiscard]] subject_family family_from(const json_node& node);
[[nodiscard]] subject subject_from(const json_node& node);

/// Reads the members `repeated` and `disturbed` of a suite, or of the last line of a lab. A missing
/// one is 0. Throws json_error.
[[nodiscard]] sample_counts sample_counts_from(const json_node& node);

/// Throws json_error if a samples array is empty, a lab is not in `labs`, or a key occurs twice.
void validate(const result_file& results);

}  // namespace freehold
