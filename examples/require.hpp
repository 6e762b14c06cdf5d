// SPDX-License-Identifier: BSL-1.0
// How an example checks what it claims: it says so, or it ends the program with status 1.
#pragma once

#include <cstdio>
#include <cstdlib>

inline void require(bool holds, const char* claim) {
    std::printf("%s %s\n", holds ? "  ok:" : "  NOT SO:", claim);
    if (!holds) std::exit(1);
}
