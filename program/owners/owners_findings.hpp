// SPDX-License-Identifier: BSL-1.0
// What a graph of owners says: types, rings, and holders of single objects.
#pragma once

#include "owners/modules.hpp"
#include "owners/owner_graph.hpp"
#include "owners/owners_report.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace freehold {

std::vector<owned_type> types_in(const owner_graph& graph);
std::vector<owner_ring> rings_in(const owner_graph& graph, object_walker& walker,
                                 type_layouts& types);
/// Finds the shortest way from a root to an object of each of the first `most` types.
void add_paths(std::vector<owned_type>& types, std::size_t most, const owner_graph& graph,
               const program_modules& modules, const std::vector<held_by>& ways);
/// `of` is a type's name or an address. Throws owners_error if there is no such object.
object_holders holders_of(const std::string& of, const owner_graph& graph,
                          const program_modules& modules, const std::vector<held_by>& ways);

}  // namespace freehold
