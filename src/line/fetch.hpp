// SPDX-License-Identifier: BSL-1.0
// Requests to the source for adjacent lines of an object.
#pragma once

#include <freehold/config.hpp>
#include <freehold/handle/arc.hpp>
#include <freehold/line/line_source.hpp>

#include <vector>

namespace freehold::inline FREEHOLD_ABI::detail {

class cached_line;
class line_core;

// Makes a request for these lines, which are adjacent and have memory. It owns itself until it
// finishes or fails. Takes the lines, unless it throws std::bad_alloc.
[[nodiscard]] line_read& make_fetch(line_core& core, std::vector<arc<cached_line>>& lines,
                                    bool is_ahead);

}  // namespace freehold::inline FREEHOLD_ABI::detail
