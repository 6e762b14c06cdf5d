// SPDX-License-Identifier: BSL-1.0
// Whether the machine has the memory that a suite needs.
#pragma once

#include <cstdint>
#include <string>

#include <unistd.h>

namespace lab {

/// Returns an empty string if so many bytes are free, or else a reason for leaving the suite out.
inline std::string why_too_little_memory(std::uint64_t needed_bytes) {
    const auto free = static_cast<std::uint64_t>(sysconf(_SC_AVPHYS_PAGES)) *
                      static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    if (free >= needed_bytes) return "";
    return "it takes " + std::to_string(needed_bytes >> 20) +
           " MiB of free memory, and there are " + std::to_string(free >> 20);
}

}  // namespace lab
