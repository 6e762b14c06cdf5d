// SPDX-License-Identifier: BSL-1.0
// The lab's kernels of `packets`, as the cells of a peer.
#pragma once

#include "peers/host.hpp"
#include "suites/packets/across.hpp"
#include "suites/packets/same_thread.hpp"
#include "suites/packets/shared_across.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace lab::packets {

inline void add_cells(std::vector<hosted_cell>& to, const std::string& competitor,
                      const std::vector<kernel<hosted_state>>& kernels) {
    for (const auto& each : kernels) {
        const auto seconds = [measure = each.measure](std::int64_t iterations) {
            hosted_state state(iterations);
            measure(state);
            return state.seconds();
        };
        to.push_back({"packets", competitor, each.test, "ns", each.scale, seconds});
    }
}

/// Those of a competitor whose blocks can be given back by any thread: Packets has blocks of
/// packet_bytes, Shared of shared_block_bytes.
template <packet_source Packets, packet_source Shared>
std::vector<hosted_cell> cells_of(const std::string& competitor) {
    using state = hosted_state;
    std::vector<hosted_cell> cells;
    add_cells(cells, competitor, same_thread_kernels<Packets, state>());
    add_cells(cells, competitor, across_kernels<Packets, state>());
    add_cells(cells, "std::allocate_shared over " + competitor,
              shared_across_kernels<allocated_shared<Shared>, state>());
    return cells;
}

}  // namespace lab::packets
