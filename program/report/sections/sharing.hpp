// SPDX-License-Identifier: BSL-1.0
// What shared ownership costs in all: the steps in the life of a handle, from several suites, each
// as a ratio to std::make_shared.
#pragma once

#include "report/sections/aims.hpp"
#include "report/sections/medians.hpp"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace freehold {

/// What std::make_shared is called in every suite that measures it.
inline const std::string sharing_baseline = "std::make_shared";

/// The medians of the suites that the section draws on.
class sharing_figures {
public:
    explicit sharing_figures(const std::vector<setting>& settings);

    /// Null where the section knows no such suite.
    [[nodiscard]] const suite_medians* suite(const std::string& name) const;

private:
    static constexpr std::array<const char*, 4> names_ = {"operations", "construction", "threads",
                                                          "footprint"};
    std::vector<suite_medians> suites_;
};

/// Each aim beside what was measured.
[[nodiscard]] aims_result sharing_aims_of(const std::vector<setting>& settings,
                                          const sharing_figures& figures);

}  // namespace freehold
