// SPDX-License-Identifier: BSL-1.0
// The report as one HTML file that opens offline: the page of web/ with the model inside it. Any
// text may stand in the model; none of it can become markup or script.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

namespace freehold {

/// `model` is what program/report/README.md describes; its `title` also names the document.
[[nodiscard]] std::string html_page(const nlohmann::json& model);

}  // namespace freehold
