// SPDX-License-Identifier: BSL-1.0
// The blocks and notes of a page that no description carries, by the name that it calls them:
// tables beside what an article printed, and the fronts of the buffer policies.
#pragma once

#include "report/sections/section.hpp"

#include <string>
#include <vector>

namespace freehold {

struct special_result {
    std::vector<report_block> blocks;
    std::vector<std::string> notes;
    std::string sentence;  // for the section's reading; empty if it has nothing to say
};

/// Throws result_error if there is no block of this name.
[[nodiscard]] special_result draw_special(const std::string& name, const page_context& context);

/// What each policy of buffers has for the bytes that it keeps idle, and the aims on it.
[[nodiscard]] special_result buffers_fronts(const page_context& context);

/// One figure of the aims on fronts: see aims.json. Nothing where it was not measured.
[[nodiscard]] std::optional<estimate> front_aim(const page_context& context, const setting& where,
                                                const std::string& kind,
                                                const std::string& workload, double kibibytes);

}  // namespace freehold
