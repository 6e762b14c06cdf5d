// SPDX-License-Identifier: BSL-1.0
// The parts of the section on the cold scan over object storage: what a GiB costs by the way that
// its lines are made, how the processor is used meanwhile, where its time goes, the same scan warm,
// lines had from a warm cache, and the aims.
#pragma once

#include "report/sections/aims.hpp"
#include "report/sections/medians.hpp"

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace freehold {

/// The suite's medians. Refers to the settings; keep them alive.
class cold_scan_figures {
public:
    explicit cold_scan_figures(const std::vector<setting>& settings);

    [[nodiscard]] const std::vector<setting>& settings() const { return settings_; }
    [[nodiscard]] const std::vector<contender>& contenders() const { return contenders_; }
    [[nodiscard]] bool has(const std::string& test) const { return medians_.has(test); }

    [[nodiscard]] std::optional<estimate> find(const setting& where, const std::string& competitor,
                                               const std::string& test) const;

    /// By the number of threads, or of the part of the scan.
    [[nodiscard]] std::map<std::int64_t, estimate> sizes(const setting& where,
                                                         const std::string& competitor,
                                                         const std::string& test) const;

private:
    const std::vector<setting>& settings_;
    std::vector<contender> contenders_;
    suite_medians medians_;
};

inline const std::string cached_scan = "freehold::line_cache";
inline const std::string cached_scan_all_kept = "freehold::line_cache, all kept";
inline const std::string published_scan = "libcurl, std::make_shared";
inline const std::string one_buffer_scan = "libcurl, one buffer";

using cold_scan_block = report_block;

/// Each gives blocks only where there is something to show.
[[nodiscard]] std::vector<cold_scan_block> scan_cost_blocks(const cold_scan_figures& figures);
[[nodiscard]] std::vector<cold_scan_block> scan_course_blocks(const cold_scan_figures& figures);
[[nodiscard]] std::vector<cold_scan_block> scan_profile_blocks(const cold_scan_figures& figures);
[[nodiscard]] std::vector<cold_scan_block> warm_get_blocks(const cold_scan_figures& figures);

[[nodiscard]] aims_result cold_scan_aims_of(const cold_scan_figures& figures);

}  // namespace freehold
