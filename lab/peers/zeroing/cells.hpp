// SPDX-License-Identifier: BSL-1.0
// The lab's kernels of `zeroing`, as the cells of a peer whose malloc is another than the C
// library's: lines come from std::make_shared_for_overwrite.
#pragma once

#include "peers/host.hpp"
#include "suites/child.hpp"
#include "suites/zeroing/filling.hpp"
#include "suites/zeroing/heap_ways.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace lab::lines {

/// An iteration is a MiB of lines, and the least is two lines.
template <class Filler>
hosted_joint_cell cell_of(const std::string& competitor, keeping how) {
    hosted_joint_cell cell{"zeroing", competitor, {}, {}};
    for (const cost_figure& each : cost_figures) {
        cell.figures.push_back({test_name<Filler>(how) + each.part, each.unit});
    }
    cell.measure = [how](std::int64_t iterations) {
        const std::size_t lines =
            std::max<std::size_t>((static_cast<std::size_t>(iterations) << 20) / line_bytes, 2);
        return all_measured_in_a_child(process_kind::threaded, [&] {
            return fill_lines<by_make_shared_for_overwrite, Filler>(how, lines).per_gibibyte(lines);
        });
    };
    return cell;
}

/// The peer that is called `competitor`. `missing` says why it cannot be measured here, if it
/// cannot.
inline hosted_peer peer_of(const std::string& competitor, std::vector<hosted_peer::part> parts,
                           std::string missing) {
    hosted_peer peer{{}, std::move(parts), {}, std::move(missing)};
    for_each_filler([&]<class Filler>() {
        peer.joint_cells.push_back(cell_of<Filler>(competitor, keeping::all));
        peer.joint_cells.push_back(cell_of<Filler>(competitor, keeping::ring));
    });
    return peer;
}

}  // namespace lab::lines
