// SPDX-License-Identifier: BSL-1.0
// The kernels of `packets`, as the cells of an external process.
#pragma once

#include "processes/host.hpp"
#include "suites/packets/across.hpp"
#include "suites/packets/packet.hpp"
#include "suites/packets/same_thread.hpp"
#include "suites/packets/shared_across.hpp"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace lab::packets {

/// Returns a subject, and the subject that std::allocate_shared makes with its memory. `missing` is
/// the reason why both cannot be measured here, or empty.
inline std::vector<subject> with_handles(const identity& is, std::string version,
                                         std::string missing) {
    std::vector<subject> both = {subject_of(is), subject_of(is, "std::allocate_shared over ")};
    for (subject& each : both) {
        each.version = version;
        each.missing = missing;
    }
    return both;
}

/// Returns the cells of those two subjects. Source<Bytes> is a packet source with blocks of `Bytes`
/// bytes. Any thread may give them back.
template <template <std::size_t> class Source>
std::vector<hosted_cell> cells_of(const std::vector<subject>& both) {
    std::vector<hosted_cell> cells;
    const auto add = [&](const subject& of, const std::vector<packet_kernel>& kernels) {
        for (const packet_kernel& each : kernels) {
            cells.push_back(
                {"packets", of.key, each.case_key, each.scale, seconds_of(each.measure)});
        }
    };
    add(both[0], same_thread_kernels<Source<packet_bytes>>());
    add(both[0], across_kernels<Source<packet_bytes>>());
    add(both[1], shared_across_kernels<allocated_shared<Source<shared_block_bytes>>>());
    return cells;
}

}  // namespace lab::packets
