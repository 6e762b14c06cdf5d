// SPDX-License-Identifier: BSL-1.0
// Options of a small cache with room for this many lines, and defaults for the rest.
#pragma once

#include <freehold/line/line_cache_options.hpp>

#include <cstddef>

namespace freehold::tests {

inline line_cache_options room_for(std::size_t lines, std::size_t line_size) {
    line_cache_options asked;
    asked.line_size = line_size;
    asked.capacity = lines * line_size;
    asked.name = "tested";
    return asked;
}

}  // namespace freehold::tests
