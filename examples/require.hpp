// SPDX-License-Identifier: BSL-1.0
// Prints a claim. If it does not hold, ends the program with status 1.
#pragma once

#include <cstdio>
#include <cstdlib>

inline void require(bool holds, const char* claim) {
    std::printf("%s %s\n", holds ? "  ok:" : "  NOT SO:", claim);
    if (!holds) std::exit(1);
}
