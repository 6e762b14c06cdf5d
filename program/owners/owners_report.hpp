// SPDX-License-Identifier: BSL-1.0
// What `freehold owners` tells of a program's memory.
#pragma once

#include "owners/block_kinds.hpp"
#include "owners/modules.hpp"
#include "owners/owner_graph.hpp"
#include "owners/type_layouts.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace freehold {

struct owned_type {
    std::string type;
    std::uint64_t alive = 0;
    std::uint64_t bytes = 0;
    std::uint64_t owners = 0;
    std::uint64_t weak = 0;
    std::uint64_t reachable = 0;
    std::uint64_t leaked = 0;
    std::uint64_t lost = 0;
};

/// An edge of a ring to make weak.
struct edge_to_weaken {
    std::size_t step = 0;  // of the path
    std::string why;
    bool is_sure = false;
};

/// Groups of objects that hold one another, all of one shape.
struct owner_cycle {
    std::uint64_t instances = 0;
    std::uint64_t bytes = 0;     // of these objects and their blocks
    std::uint64_t retained = 0;  // of these and of all that only they keep alive
    std::vector<held_by> path;   // the shortest way around
    std::optional<edge_to_weaken> weaken;
};

/// Holders of the objects that `--who` names.
struct object_holders {
    struct holder {
        std::string what;
        std::uint64_t owners = 0;
        std::uint64_t weak = 0;
    };
    std::uint64_t objects = 0;
    std::vector<holder> holders;
    std::vector<std::string> path;  // from a root to one of the objects; empty if there is none
};

struct owners_report {
    std::string program;
    std::vector<owned_type> types;    // those with most leaked bytes first
    std::vector<owner_cycle> cycles;  // the largest first
    std::vector<std::string> incomplete;
    std::optional<object_holders> who;
    std::uint64_t memory_bytes = 0;
    double stopped_seconds = 0;
    bool is_at_end = false;
};

std::vector<owned_type> types_in(const owner_graph& graph);
std::vector<owner_cycle> cycles_in(const owner_graph& graph, const std::vector<held_by>& ways);
/// `of` is a type's name or an address. Throws owners_error if there is no such object.
object_holders holders_of(const std::string& of, const owner_graph& graph,
                          const program_modules& modules, const std::vector<held_by>& ways);

/// Returns `Tree::children`.
std::string text_of(const held_by& way);

}  // namespace freehold
