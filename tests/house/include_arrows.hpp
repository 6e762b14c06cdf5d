// SPDX-License-Identifier: BSL-1.0
// Who includes whom, read from the #include lines and judged by the house plan.
#pragma once

#include "house/source_tree.hpp"

#include <string>
#include <vector>

namespace freehold::house {

// One line for each #include that the plan forbids: "file:line: 'room' must not include <header> of
// 'room'".
std::vector<std::string> broken_arrows(const std::vector<source_file>& files);

}  // namespace freehold::house
