// SPDX-License-Identifier: BSL-1.0
// An object with its owner is made and dropped: one at a time, and a thousand before the first is
// dropped. A State is Google Benchmark's, or peers/host.hpp's.
#pragma once

#include "competitors/competitor.hpp"
#include "suites/barrier.hpp"
#include "suites/pointee.hpp"
#include "suites/settle_heap.hpp"
#include "suites/timing.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lab {

/// So many are made between two readings of the clock, and live in `1024 alive`.
constexpr std::size_t batch_size = 1024;

template <class Competitor>
using owned = pointee<Competitor>;

template <class Competitor>
using handle_of = typename Competitor::template handle<owned<Competitor>>;

template <class Competitor, class State>
void one(State& state) {
    settle_heap();
    const auto make_and_drop = [] {
        for (std::uint64_t i = 0; i < batch_size; ++i) {
            auto handle = make_owned<Competitor, owned<Competitor>>(i);
            escape(&handle);
            Competitor::abandon(handle);
        }
    };
    for ([[maybe_unused]] auto _ : state)
        state.SetIterationTime(undisturbed_seconds([] {}, make_and_drop));
}

/// All are made before the first is dropped: more than any cache of free blocks for small counts,
/// such as the seven of glibc's for a thread, has room for.
template <class Competitor, class State>
void many(State& state) {
    settle_heap();
    std::vector<handle_of<Competitor>> alive(batch_size);
    escape(alive.data());
    const auto make_then_drop = [&] {
        for (std::uint64_t i = 0; i < batch_size; ++i) {
            alive[i] = make_owned<Competitor, owned<Competitor>>(i);
            barrier();
        }
        for (auto& handle : alive) {
            Competitor::abandon(handle);
            handle = handle_of<Competitor>();
            barrier();
        }
    };
    for ([[maybe_unused]] auto _ : state)
        state.SetIterationTime(undisturbed_seconds([] {}, make_then_drop));
}

}  // namespace lab
