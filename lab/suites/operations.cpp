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
#include <utility>
#include <vector>

namespace lab {
namespace {

using set_sizes = std::index_sequence<0, 2, 4, 8, 16, 32>;

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

template <class Competitor, class Handle>
[[gnu::always_inline]] inline void assign_and_construct(Handle* last) {
    std::construct_at(last + 1);
    barrier();
    last[1] = Competitor::copy(last[0]);
    barrier();
    std::construct_at(last + 2, Competitor::copy(last[1]));
    barrier();
}

template <class Handle>
[[gnu::always_inline]] inline void release(Handle* handle) {
    std::destroy_at(handle);
    barrier();
}

// The operations stand one behind the other instead of in loops: where a loop ends is mispredicted
// from some length on, for some layouts of the code, and would be counted as the handle's time.
template <class Competitor, class Handle, class Pointee, std::size_t... Pair, std::size_t... Place>
[[gnu::always_inline]] inline void hold_one(Handle* set, Pointee* p, std::index_sequence<Pair...>,
                                            std::index_sequence<Place...>) {
    std::construct_at(set, p);
    barrier();
    (assign_and_construct<Competitor>(set + 2 * Pair), ...);
    (release(set + Place), ...);
    Competitor::abandon(set[sizeof...(Place)]);
    release(set + sizeof...(Place));
}

template <class Competitor, std::size_t Copies>
void hold(benchmark::State& state) {
    using owned = pointee<Competitor>;
    using handle = typename Competitor::template handle<owned>;
    static_assert(sizeof(owned) == 16, "every competitor's pointee is of one size");

    alignas(handle) std::array<std::byte, sizeof(handle) * (Copies + 1)> storage;
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
        for (owned* p : batch)
            hold_one<Competitor>(set, p, std::make_index_sequence<Copies / 2>(),
                                 std::make_index_sequence<Copies>());
    };
    for (auto _ : state) state.SetIterationTime(undisturbed_seconds(make_batch, hold_batch));
}

}  // namespace

plan plan_operations(const selection& chosen) {
    plan cells;
    for_each_selected<all_competitors>(cells, chosen, {"hold"}, [&]<class Competitor>() {
        [&]<std::size_t... Copies>(std::index_sequence<Copies...>) {
            (cells.timed.push_back(
                 {{Competitor::name, "hold", static_cast<std::int64_t>(Copies), "ns"},
                  hold<Competitor, Copies>,
                  1e9 / batch_size,
                  false}),
             ...);
        }
        (set_sizes());
    });
    return cells;
}

}  // namespace lab
