// SPDX-License-Identifier: BSL-1.0
// Packets made with their owners, one at a time, and dropped at once.
#pragma once

#include "competitors/competitor.hpp"
#include "suites/barrier.hpp"
#include "suites/packets/making.hpp"
#include "suites/packets/packet.hpp"
#include "suites/packets/same_thread.hpp"
#include "suites/packets/sources/freehold_pool.hpp"
#include "suites/settle_heap.hpp"

#include <cstddef>

namespace lab::packets {

/// The seed's six in its order, then the others.
using all_ways = competitor_list<std_shared_ptr_new, std_make_shared, std_shared_ptr_pool,
                                 std_allocate_shared, new_and_delete, pool_alone,
                                 std_make_shared_for_overwrite, std_allocate_shared_for_overwrite,
                                 freehold_make_shared, freehold_make_shared_for_overwrite,
                                 freehold_allocate_shared, freehold_allocate_shared_for_overwrite,
                                 freehold_allocate_arc, freehold_allocate_arc_for_overwrite>;

/// The pool is there whether or not Way uses it.
template <class Way, class Packet, class State>
void make_and_drop(State& state) {
    settle_heap();
    freehold::pool pool(options_of(shared_block_bytes, same_thread_capacity));
    measure_rounds(state, [&] {
        freehold::pool& from = pool;
        for (std::size_t i = 0; i < packets_per_reading; ++i) {
            const auto owner = Way::template make<Packet>(from);
            escape(&owner);
        }
    });
}

}  // namespace lab::packets
