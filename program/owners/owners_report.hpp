// SPDX-License-Identifier: BSL-1.0
// What `freehold owners` reports of a program's memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace freehold {

/// A way from an object to a handle that it holds.
struct held_by {
    std::string type;    // of the object
    std::string member;  // such as `children`, or `by_name.second`
    int line = 0;        // where the member is declared; 0 if unknown
    std::string file = {};
    bool in_container = false;  // it is one of several elements
    std::string closure = {};   // what captures it: "a lambda made at FILE:LINE", "std::bind"

    bool operator<(const held_by& other) const;
};

struct owned_type {
    std::string type;
    std::uint64_t alive = 0;
    std::uint64_t bytes = 0;
    std::uint64_t owners = 0;
    std::uint64_t weak = 0;
    std::uint64_t reachable = 0;
    std::uint64_t leaked = 0;
    std::uint64_t lost = 0;
    std::vector<std::string> path = {};  // from a root to one of them, if it was asked for
};

/// An edge of a ring to make weak.
struct edge_to_weaken {
    std::size_t step = 0;  // of the path
    std::string why;
    bool is_sure = false;
};

/// Groups of objects that hold one another, all of one shape.
struct owner_ring {
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

/// What one of several looks at a process found.
struct owners_look {
    double seconds = 0;  // since the first look
    std::vector<owned_type> types;
};

struct owners_report {
    std::string program;
    std::vector<owned_type> types;  // those with most leaked bytes first
    std::vector<owner_ring> rings;  // the largest first
    std::vector<std::string> incomplete;
    std::optional<object_holders> who;
    std::vector<owners_look> looks;  // if there were several; the report is that of the last
    std::uint64_t memory_bytes = 0;
    double stopped_seconds = 0;
    bool is_at_end = false;
};

/// Returns the sums over all types, without a name.
owned_type total_of(const owners_report& report);

/// Returns `Tree::children`.
std::string text_of(const held_by& way);

/// Returns the ring as text: `Tree::children -> Child::parent -> Tree`.
std::string text_of(const owner_ring& ring);

/// How the number of objects of a type changed from look to look.
struct type_growth {
    std::string type;
    std::vector<std::uint64_t> alive;  // at each look

    [[nodiscard]] bool only_rises() const;
};
/// Returns the types whose number changed, those that grew most first.
std::vector<type_growth> growth_in(const std::vector<owners_look>& looks);

}  // namespace freehold
