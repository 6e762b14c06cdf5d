// SPDX-License-Identifier: BSL-1.0
// Functions to name in the option FillFunctions of .clang-tidy, because findings would follow.
#pragma once

#include "check/findings.hpp"

#include <string>
#include <vector>

namespace freehold {

/// One proposal for each function, that with the most findings first. What is found already is not
/// promised.
std::vector<filler_proposal> proposals_of(const std::vector<promised_finding>& promised,
                                          const std::vector<finding>& found);

/// The first proposals, and the lines for .clang-tidy, which keep the entries of `so_far`. "" if
/// there is no proposal.
std::string text_of(const std::vector<filler_proposal>& proposals,
                    const std::vector<std::string>& so_far);

}  // namespace freehold
