// SPDX-License-Identifier: BSL-1.0
// What it costs to have 2 KiB packets from pools and allocators: the seed's six ways to make one
// that is shared, blocks on one thread and from thread to thread, and handles that are shared on
// the way.
#include "suites/packets/across.hpp"
#include "suites/packets/making.hpp"
#include "suites/packets/same_thread.hpp"
#include "suites/packets/shared_across.hpp"
#include "suites/packets/sources/boost_pools.hpp"
#include "suites/packets/sources/foonathan_memory.hpp"
#include "suites/packets/sources/freehold_handles.hpp"
#include "suites/packets/sources/freehold_not_counted.hpp"
#include "suites/packets/sources/freehold_pool.hpp"
#include "suites/packets/sources/glibc.hpp"
#include "suites/packets/sources/mutex_and_vector.hpp"
#include "suites/packets/sources/pmr_pools.hpp"
#include "suites/packets/sources/preallocated.hpp"
#include "suites/packets/sources/tbb.hpp"
#include "suites/packets/sources/thread_local_list.hpp"
#include "suites/packets/ways.hpp"
#include "suites/packets_zeroing.hpp"
#include "suites/suite.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace lab {
namespace {

using namespace packets;
using state = benchmark::State;
using kernels = std::vector<kernel<state>>;

using for_one_thread =
    competitor_list<freehold_pool, freehold_pool_not_counted, glibc, packets::tbb,
                    boost_singleton_pool, boost_fast_pool_allocator, packets::foonathan_memory,
                    pmr_synchronized, pmr_unsynchronized, mutex_and_vector>;
using for_several_threads =
    competitor_list<freehold_pool, freehold_pool_not_counted, freehold_pool_one_by_one, glibc,
                    packets::tbb, boost_singleton_pool, boost_fast_pool_allocator,
                    packets::foonathan_memory, pmr_synchronized, mutex_and_vector>;
using for_handles =
    competitor_list<glibc, packets::tbb, boost_singleton_pool, boost_fast_pool_allocator,
                    packets::foonathan_memory, pmr_synchronized, mutex_and_vector>;

class builder {
public:
    builder(plan& into, const selection& chosen) : into_(into), chosen_(chosen) {}

    void add(const std::string& competitor, const kernels& all) {
        if (!chosen_.wants(competitor, false)) return;
        for (const auto& [test, scale, measure] : all) {
            into_.timed.push_back({{competitor, test, {}, "ns"}, measure, scale, false});
        }
    }

    void skip(const std::string& competitor, const char* test, const char* reason) {
        if (chosen_.wants(competitor, false)) into_.skipped.push_back({competitor, test, reason});
    }

    /// For each competitor what `kernels_of.operator()<Source>()` returns, with Source its blocks
    /// of so many bytes. `prefix` goes before its name. One that is not installed lacks the tests
    /// of `elsewhere`.
    template <class Competitors, std::size_t BlockBytes, class KernelsOf>
    void add_all(const std::string& prefix, const kernels& elsewhere, KernelsOf&& kernels_of) {
        Competitors::for_each([&]<class Competitor>() {
            const std::string name = prefix + Competitor::name;
            if constexpr (installed<Competitor>) {
                using source = typename Competitor::template source<BlockBytes>;
                add(name, kernels_of.template operator()<source>());
            } else {
                for (const auto& each : elsewhere) skip(name, each.test, Competitor::missing);
            }
        });
    }

private:
    plan& into_;
    const selection& chosen_;
};

template <class Packet>
void add_ways(builder& plan, const char* test) {
    all_ways::for_each([&]<class Way>() {
        if constexpr (missing_way<Way>) {
            plan.skip(Way::name, test, Way::missing);
        } else {
            plan.add(Way::name,
                     {{test, 1e9 / packets_per_reading, make_and_drop<Way, Packet, state>}});
        }
    });
}

void add_same_thread(builder& plan) {
    plan.add("floor", same_thread_kernels<thread_local_list, state>());
    plan.add_all<for_one_thread, packet_bytes>(
        "", same_thread_kernels<one_by_one<thread_local_list_blocks>, state>(),
        []<class Source>() { return same_thread_kernels<Source, state>(); });
}

void add_across(builder& plan) {
    const kernels floor = across_kernels<preallocated, state>();
    plan.add("floor", floor);
    plan.add_all<for_several_threads, packet_bytes>(
        "", floor, []<class Source>() { return across_kernels<Source, state>(); });
}

template <class Handles>
void add_handles(builder& plan, const std::string& name) {
    plan.add(name, shared_across_kernels<Handles, state>());
}

void add_shared_across(builder& plan) {
    using std_handles = preallocated_handles<std::shared_ptr<packet>, std::make_shared<packet>>;
    using arcs = preallocated_handles<freehold::arc<packet>, freehold::make_arc<packet>>;
    const kernels floor = shared_across_kernels<std_handles, state>();
    plan.add("floor", floor);
    add_handles<arcs>(plan, "floor, arc");
    add_handles<pooled_handles<by_std_allocate_shared>>(plan, by_std_allocate_shared::name);
    add_handles<pooled_handles<by_allocate_shared>>(plan, by_allocate_shared::name);
    add_handles<pooled_handles<by_allocate_arc>>(plan, by_allocate_arc::name);
    add_handles<pooled_arc_bursts<by_allocate_arc>>(plan, by_allocate_arc::in_bursts);
    add_handles<pooled_arc_bursts<by_unmarked_arc>>(plan, by_unmarked_arc::in_bursts);
    plan.add_all<for_handles, shared_block_bytes>(
        "std::allocate_shared over ", floor,
        []<class Source>() { return shared_across_kernels<allocated_shared<Source>, state>(); });
}

}  // namespace

plan plan_packets(const selection& chosen) {
    plan cells;
    builder into(cells, chosen);
    add_ways<packet>(into, "six ways");
    add_ways<zeroed_packet>(into, "six ways, zeroed");
    add_same_thread(into);
    add_across(into);
    add_shared_across(into);
    add_zeroing_probes(cells, chosen);
    return cells;
}

}  // namespace lab
