// SPDX-License-Identifier: BSL-1.0
// The cost of zeroing on the machine of a result file.
#pragma once

#include <filesystem>
#include <optional>

namespace freehold {

/// The seconds that memset takes for one GiB: the median of the suite `zeroing`. Empty if the file
/// has no such figure. Throws result_error if the file cannot be read.
std::optional<double> seconds_per_gibibyte_zeroed(const std::filesystem::path& results);

}  // namespace freehold
