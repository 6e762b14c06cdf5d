// SPDX-License-Identifier: BSL-1.0
// The operation test of "Smart Pointer Timings": a pointee is acquired, copied n times among a set
// of handles (half assignments, half copy constructions), and all handles are released, which frees
// the pointee.
#include "competitors/all.hpp"
#include "suites/barrier.hpp"
#include "suites/pointee.hpp"
#include "suites/suite.hpp"
#include "suites/timing.hpp"

#if __has_include(<malloc.h>)
#include <malloc.h>
#endif

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace lab {
namespace {

constexpr std::array<std::size_t, 6> set_sizes = {0, 2, 4, 8, 16, 32};
constexpr std::size_t max_copies = set_sizes.back();

/// Pointees per clock reading: enough for two readings of the clock to vanish, few enough to stay
/// in the cache.
constexpr std::size_t batch_size = 1024;

/// Brings the heap into the same state whatever was measured before: glibc coalesces its free
/// blocks, so that the next ones come in the order of their addresses.
void settle_heap() {
#if defined(__GLIBC__)
    malloc_trim(0);
#endif
}

template <class Competitor, class Handle, class Pointee>
void hold_one(Handle* set, Pointee* p, std::size_t copies) {
    std::construct_at(set, p);
    barrier();
    for (std::size_t i = 1; i < copies; i += 2) {
        std::construct_at(set + i);
        barrier();
        set[i] = Competitor::copy(set[i - 1]);
        barrier();
        std::construct_at(set + i + 1, Competitor::copy(set[i]));
        barrier();
    }
    for (std::size_t i = 0; i < copies; ++i) {
        std::destroy_at(set + i);
        barrier();
    }
    Competitor::abandon(set[copies]);
    std::destroy_at(set + copies);
    barrier();
}

template <class Competitor>
void hold(benchmark::State& state, std::size_t copies) {
    using owned = pointee<Competitor>;
    using handle = typename Competitor::template handle<owned>;
    static_assert(sizeof(owned) == 16, "every competitor's pointee is of one size");

    alignas(handle) std::array<std::byte, sizeof(handle) * (max_copies + 1)> storage;
    auto* set = reinterpret_cast<handle*>(storage.data());
    std::vector<owned*> batch(batch_size);
    escape(set);
    escape(batch.data());

    settle_heap();
    const auto make_batch = [&] {
        for (owned*& p : batch) p = new owned;
        barrier();
    };
    const auto hold_batch = [&] {
        for (owned* p : batch) hold_one<Competitor>(set, p, copies);
    };
    for (auto _ : state) state.SetIterationTime(undisturbed_seconds(make_batch, hold_batch));
}

}  // namespace

plan plan_operations(const selection& chosen) {
    plan cells;
    for_each_selected<all_competitors>(cells, chosen, {"hold"}, [&]<class Competitor>() {
        for (const std::size_t copies : set_sizes) {
            cells.timed.push_back(
                {{Competitor::name, "hold", static_cast<std::int64_t>(copies), "ns"},
                 [copies](benchmark::State& state) { hold<Competitor>(state, copies); },
                 1e9 / batch_size,
                 false});
        }
    });
    return cells;
}

}  // namespace lab
