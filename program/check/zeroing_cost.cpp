// SPDX-License-Identifier: BSL-1.0
#include "check/zeroing_cost.hpp"

#include "results/result_file.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

namespace freehold {

std::optional<double> seconds_per_gibibyte_zeroed(const std::filesystem::path& results) {
    const result_file file = load_results(results);
    const auto suite = file.suites.find("zeroing");
    if (suite == file.suites.end()) return std::nullopt;
    // Subjects that zero no memory have a figure of 0.
    constexpr std::string_view part = ".memset";
    std::vector<double> seconds;
    for (const measurement& each : suite->second.measurements) {
        if (each.unit != "s/GiB" || !each.test_case.ends_with(part)) continue;
        for (const auto& process : each.samples)
            for (const double sample : process)
                if (sample > 0) seconds.push_back(sample);
    }
    if (seconds.empty()) return std::nullopt;
    const auto middle = seconds.begin() + static_cast<std::ptrdiff_t>(seconds.size() / 2);
    std::nth_element(seconds.begin(), middle, seconds.end());
    return *middle;
}

}  // namespace freehold
