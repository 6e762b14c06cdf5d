// SPDX-License-Identifier: BSL-1.0
// What the report knows of the competitors by their names (see lab/README.md): their order, the
// family under which they stand, and which of them a reader looks for first.
#pragma once

#include <cstddef>
#include <string_view>

namespace freehold {

enum class family {
    floor,
    strategy,
    atomic_strategy,
    freehold,
    policy,
    peer_policy,
    standard,
    boost,
    allocator,
    other
};

/// As a heading: "Floor", "Standard".
[[nodiscard]] std::string_view family_name(family which);

[[nodiscard]] family family_of(std::string_view competitor);

/// Where the competitor stands among all; one that the report does not know stands at the end of
/// its family.
[[nodiscard]] std::size_t order_of(std::string_view competitor);

/// Whether it is shown where there is no room for all of them.
[[nodiscard]] bool is_central(std::string_view competitor);

/// Whether a copy is another owner, as the cheapest copy is asked for.
[[nodiscard]] bool shares_ownership(std::string_view competitor);

/// Whether it counts in another way before a second thread was started, and so has a row for each.
[[nodiscard]] bool differs_alone(std::string_view competitor);

/// Whether a change of freehold's own code cannot touch it.
[[nodiscard]] bool is_control(std::string_view competitor);

}  // namespace freehold
