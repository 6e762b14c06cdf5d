// SPDX-License-Identifier: BSL-1.0
// Who includes whom, read from the #include lines and judged by the plan in include_arrows.cpp.
#pragma once

#include "repository/source_tree.hpp"

#include <string>
#include <vector>

namespace freehold::repository {

// One line for each #include that the plan forbids: "file:line: 'module' must not include <header>
// of 'module'".
std::vector<std::string> broken_arrows(const std::vector<source_file>& files);

}  // namespace freehold::repository
