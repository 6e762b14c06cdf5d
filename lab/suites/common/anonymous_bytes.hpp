// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <fstream>
#include <stdexcept>
#include <string>

namespace lab {

/// Returns the bytes of memory that the process has written to, by whole pages.
inline std::size_t anonymous_bytes() {
    std::ifstream sums("/proc/self/smaps_rollup");
    for (std::string word; sums >> word;) {
        std::size_t kibibytes = 0;
        if (word == "Anonymous:" && sums >> kibibytes) return kibibytes << 10;
    }
    throw std::runtime_error("the system does not tell a process's anonymous memory");
}

/// Empty, or why anonymous_bytes() cannot be called on this system.
inline std::string why_no_anonymous_bytes() {
    return std::ifstream("/proc/self/smaps_rollup") ? "" : "needs /proc/self/smaps_rollup";
}

}  // namespace lab
