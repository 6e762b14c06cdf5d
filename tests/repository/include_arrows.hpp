// SPDX-License-Identifier: BSL-1.0
// Compares the #include lines with the plan in include_arrows.cpp, which says what a module may
// include.
#pragma once

#include "repository/source_tree.hpp"

#include <string>
#include <vector>

namespace freehold::repository {

// One line for each #include that the plan forbids: "file:line: 'module' must not include <header>
// of 'module'".
std::vector<std::string> broken_arrows(const std::vector<source_file>& files);

}  // namespace freehold::repository
