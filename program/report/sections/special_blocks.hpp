// SPDX-License-Identifier: BSL-1.0
// The blocks and notes of a page that no description can express. A page refers to them by name.
// They are tables beside the figures of an article, and the fronts of the buffer policies.
#pragma once

#include "report/sections/section.hpp"

#include <string>
#include <vector>

namespace freehold {

struct special_result {
    std::vector<report_block> blocks;
    std::vector<std::string> notes;
    std::string sentence;  // for the section's first sentence; may be empty
};

/// Throws result_error if no block has this name.
[[nodiscard]] special_result draw_special(const std::string& name, const page_context& context);

/// The hits of each buffer policy for the bytes that it keeps idle, and the aims for them.
[[nodiscard]] special_result buffers_fronts(const page_context& context);

/// One figure of the aims for fronts: see aims.json. Empty if it was not measured.
[[nodiscard]] std::optional<estimate> front_aim(const page_context& context, const setting& where,
                                                const std::string& kind,
                                                const std::string& workload, double kibibytes);

}  // namespace freehold
