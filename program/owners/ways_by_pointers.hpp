// SPDX-License-Identifier: BSL-1.0
// The way from an object to a handle in memory to which it has a plain pointer, as to its
// implementation (pimpl). It only names what was found: plain pointers own nothing.
#pragma once

#include "owners/object_walker.hpp"
#include "owners/owner_graph.hpp"
#include "owners/owners_report.hpp"
#include "owners/type_layouts.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace freehold {

/// Returns the way from a block through these chunks to a handle to the block `to`. It is as long
/// as debug information tells, and nothing if the first pointer is no member.
std::optional<held_by> way_by_pointers(const owner_graph& graph, object_walker& walker,
                                       type_layouts& types, std::uint32_t from,
                                       const std::vector<std::uint32_t>& chunks, std::uint32_t to);

}  // namespace freehold
