// SPDX-License-Identifier: BSL-1.0
// The report as one HTML file that opens offline: the page of web/ with the model inside it. The
// model may contain any text. No text can become markup or script.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

namespace freehold {

/// program/report/README.md describes `model`. Its `title` is also the title of the document.
[[nodiscard]] std::string html_page(const nlohmann::json& model);

}  // namespace freehold
