// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "runner/peer.hpp"
#include "suites/suite.hpp"

#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

namespace lab {

/// The executables in `peers/` beside this one, by name.
std::vector<std::filesystem::path> find_peers();

/// What each peer that can be started has besides the lab's own compiler and standard library.
std::vector<peer_description::part> parts_of_peers();

/// Adds to `into` the cells of all peers that belong to `suite` and are chosen. The peers run for
/// as long as there are cells of theirs. A peer that cannot be started is a skipped cell, named
/// after its file. The cells of the seed's program run `seed_iterations`, if that is given.
void add_peer_cells(plan& into, const std::string& suite, const selection& chosen,
                    std::optional<std::int64_t> seed_iterations);

}  // namespace lab
