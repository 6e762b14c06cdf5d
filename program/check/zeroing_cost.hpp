// SPDX-License-Identifier: BSL-1.0
// What zeroing costs on the machine of a result file.
#pragma once

#include <filesystem>
#include <optional>

namespace freehold {

/// Seconds that memset takes for a GiB: the median of what the suite `zeroing` measured of it. None
/// if the file has no such figure. Throws result_error if the file cannot be read.
std::optional<double> seconds_per_gibibyte_zeroed(const std::filesystem::path& results);

}  // namespace freehold
