// SPDX-License-Identifier: BSL-1.0
// Every median of a suite, estimated once, and as a ratio to another competitor's; and what several
// sections make of them.
#pragma once

#include "report/sections/findings.hpp"
#include "report/sections/settings.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

namespace freehold {

class suite_medians {
public:
    suite_medians(const std::vector<setting>& settings, const std::string& suite_name);

    /// Of the smallest size, where the test has several.
    [[nodiscard]] std::optional<estimate> find(const setting& where, const contender& who,
                                               const std::string& test) const;

    /// By size.
    [[nodiscard]] std::map<std::int64_t, estimate> sizes(const setting& where, const contender& who,
                                                         const std::string& test) const;

    /// How many times the reference's figure it is: the reference measured in the same setting, in
    /// the contender's own process where there is one. A reference is once itself.
    [[nodiscard]] std::optional<estimate> times(const setting& where, const contender& who,
                                                const std::string& test,
                                                const std::string& reference) const;

    [[nodiscard]] bool has(const std::string& test) const;

private:
    using key = std::tuple<std::string, std::string, std::string, std::string>;

    [[nodiscard]] static key key_of(const setting& where, const contender& who,
                                    const std::string& test) {
        return {where.label, who.process, who.name, test};
    }

    std::map<key, std::map<std::int64_t, estimate>> figures_;  // what has no size is of size 0
};

/// The contenders that share ownership with their figures of the test, for lowest_finding.
[[nodiscard]] std::vector<ranked_setting> ranked_sharers(const std::vector<setting>& settings,
                                                         const std::vector<contender>& contenders,
                                                         const suite_medians& times,
                                                         const std::string& test);

/// For each test a panel, in it a series of each setting's times, without those that have no place
/// on a logarithmic axis.
[[nodiscard]] std::vector<plot_series> panels_of_times(std::span<const std::string> tests,
                                                       const std::vector<setting>& settings,
                                                       const std::vector<contender>& contenders,
                                                       const suite_medians& times);

}  // namespace freehold
