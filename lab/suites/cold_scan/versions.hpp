// SPDX-License-Identifier: BSL-1.0
// What the suite reads from and by.
#pragma once

#include <optional>
#include <string>

namespace lab::cold_scan {

std::string libcurl_version();

/// Of the S3-compatible server that is installed, as it tells it; none if there is none.
std::optional<std::string> server_version();

}  // namespace lab::cold_scan
