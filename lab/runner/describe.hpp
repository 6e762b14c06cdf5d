// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "runner/subject.hpp"

#include <vector>

namespace lab {

/// Prints the lab's compiler and libraries, its families, these subjects, and its suites.
void describe(const std::vector<subject>& all);

}  // namespace lab
