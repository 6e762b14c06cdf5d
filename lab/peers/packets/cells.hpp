// SPDX-License-Identifier: BSL-1.0
// The lab's kernels of `packets`, as the cells of a peer.
#pragma once

#include "peers/host.hpp"
#include "suites/packets/across.hpp"
#include "suites/packets/packet.hpp"
#include "suites/packets/same_thread.hpp"
#include "suites/packets/shared_across.hpp"

#include <cstddef>
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

/// Those of a competitor. Source<Bytes> is a packet source with blocks of so many bytes, which any
/// thread may give back.
template <template <std::size_t> class Source>
std::vector<hosted_cell> cells_of(const std::string& competitor) {
    using state = hosted_state;
    using packets = Source<packet_bytes>;
    using shared = allocated_shared<Source<shared_block_bytes>>;
    std::vector<hosted_cell> cells;
    add_cells(cells, competitor, same_thread_kernels<packets, state>());
    add_cells(cells, competitor, across_kernels<packets, state>());
    add_cells(cells, "std::allocate_shared over " + competitor,
              shared_across_kernels<shared, state>());
    return cells;
}

}  // namespace lab::packets
