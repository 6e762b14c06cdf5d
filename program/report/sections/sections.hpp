// SPDX-License-Identifier: BSL-1.0
// One function for each section of the report. Each gives nothing where no file measured its suite.
#pragma once

#include "report/model.hpp"
#include "report/sections/settings.hpp"

#include <optional>
#include <vector>

namespace freehold {

[[nodiscard]] std::optional<report_section> sharing_section(const std::vector<setting>& all);
[[nodiscard]] std::optional<report_section> operations_section(const std::vector<setting>& all);
[[nodiscard]] std::optional<report_section> construction_section(const std::vector<setting>& all);
[[nodiscard]] std::optional<report_section> threads_section(const std::vector<setting>& all);
[[nodiscard]] std::optional<report_section> packets_section(const std::vector<setting>& all);
[[nodiscard]] std::optional<report_section> zeroing_section(const std::vector<setting>& all);
[[nodiscard]] std::optional<report_section> cold_scan_section(const std::vector<setting>& all);
[[nodiscard]] std::optional<report_section> buffers_section(const std::vector<setting>& all);
[[nodiscard]] std::optional<report_section> containers_section(const std::vector<setting>& all);
[[nodiscard]] std::optional<report_section> footprint_section(const std::vector<setting>& all);
[[nodiscard]] std::optional<report_section> cycles_section(const std::vector<setting>& all);

/// Three to five figures for the top of the page, from the first setting that measured each.
[[nodiscard]] std::vector<headline> summary_of(const std::vector<setting>& all);

}  // namespace freehold
