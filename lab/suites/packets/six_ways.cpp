// SPDX-License-Identifier: BSL-1.0
// A packet is made with its owner and dropped at once, one at a time.
#include "runner/registry.hpp"
#include "subjects/blocks/freehold_pool.hpp"
#include "suites/common/barrier.hpp"
#include "suites/common/settle_heap.hpp"
#include "suites/common/type_list.hpp"
#include "suites/packets/making.hpp"
#include "suites/packets/packet.hpp"
#include "suites/packets/same_thread.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace lab::packets {
namespace {

/// The article's six in its order, then the others.
using all_ways = type_list<std_shared_ptr_new, std_make_shared, std_shared_ptr_pool,
                           std_allocate_shared, new_and_delete, pool_alone,
                           std_make_shared_for_overwrite, std_allocate_shared_for_overwrite,
                           freehold_make_shared, freehold_make_shared_for_overwrite,
                           freehold_allocate_shared, freehold_allocate_shared_for_overwrite,
                           freehold_allocate_arc, freehold_allocate_arc_for_overwrite>;

/// The pool exists whether or not Way uses it.
template <class Way, class Packet>
void make_and_drop(kernel_state& state) {
    settle_heap();
    freehold::pool pool(blocks::options_of(shared_block_bytes, same_thread_capacity));
    measure_rounds(state, [&] {
        freehold::pool& from = pool;
        for (std::size_t i = 0; i < packets_per_reading; ++i) {
            const auto owner = Way::template make<Packet>(from);
            escape(&owner);
        }
    });
}

void add_ways(plan& into, const selection& chosen) {
    all_ways::for_each([&]<class Way>() {
        if (!chosen.wants(Way::is)) return;
        const std::string key = key_of(Way::is.name);
        if constexpr (!installed<Way>) {
            for (const char* const each : {"six_ways", "six_ways.zeroed"}) {
                into.skipped.push_back({key, each, std::string(Way::is.why_missing())});
            }
        } else {
            constexpr double each = 1e9 / packets_per_reading;
            add_kernel(into, {key, "six_ways"}, each, make_and_drop<Way, packet>);
            add_kernel(into, {key, "six_ways.zeroed"}, each, make_and_drop<Way, zeroed_packet>);
        }
    });
}

std::vector<subject> all_subjects() {
    std::vector<subject> all;
    all_ways::for_each([&]<class Way>() { all.push_back(subject_of(Way::is)); });
    return all;
}

const registration here("packets", add_ways, all_subjects());

}  // namespace
}  // namespace lab::packets
