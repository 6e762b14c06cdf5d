// SPDX-License-Identifier: BSL-1.0
// How the statistics of a pool are printed.
#pragma once

#include <freehold/memory/pool_statistics.hpp>

#include <iomanip>
#include <ostream>

namespace freehold::inline FREEHOLD_ABI {

std::ostream& operator<<(std::ostream& to, const pool_statistics& from) {
    if (!from.name.empty()) to << from.name << ": ";
    to << from.capacity << " blocks, " << from.in_use << " in use, " << from.cached << " cached, "
       << from.in_depot << " in the depot, high water " << from.high_water << ", "
       << from.upstream_blocks << " of the upstream; " << from.allocations << " allocations, "
       << from.frees << " frees (at least " << from.remote_frees << " on another thread), "
       << from.refills << " refills, " << from.exhaustions << " exhaustions\n";
    for (const char* const heading :
         {"thread", "cached", "allocations", "frees", "remote", "refills"}) {
        to << std::setw(14) << heading;
    }
    to << '\n';
    for (const pool_thread_statistics& each : from.threads) {
        to << std::setw(14) << each.thread << std::setw(14) << each.cached << std::setw(14)
           << each.allocations << std::setw(14) << each.frees << std::setw(14) << each.remote_frees
           << std::setw(14) << each.refills << '\n';
    }
    return to;
}

}  // namespace freehold::inline FREEHOLD_ABI
