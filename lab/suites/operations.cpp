// SPDX-License-Identifier: BSL-1.0
// The operation test of "Smart Pointer Timings": a pointee is acquired, copied n times among a set
// of handles (half assignments, half copy constructions), and all handles are released, which frees
// the pointee. Beside it, one operation alone.
#include "competitors/all.hpp"
#include "suites/barrier.hpp"
#include "suites/operations_in_a_row.hpp"
#include "suites/pointee.hpp"
#include "suites/settle_heap.hpp"
#include "suites/suite.hpp"
#include "suites/timing.hpp"

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
template <class Competitor, class Handle, class Source, std::size_t... Pair, std::size_t... Place>
[[gnu::always_inline]] inline void hold_one(Handle* set, Source& made, std::index_sequence<Pair...>,
                                            std::index_sequence<Place...>) {
    std::construct_at(set, std::move(made));
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
    static_assert(sizeof(owned) == 16 || sizeof(owned) == 24, "pointees share a size of malloc's");

    alignas(handle) std::array<std::byte, sizeof(handle) * (Copies + 1)> storage;
    auto* set = reinterpret_cast<handle*>(storage.data());
    std::vector<source<Competitor, owned>> batch(batch_size);
    escape(set);
    escape(batch.data());

    settle_heap();
    const auto make_batch = [&] {
        for (auto& made : batch) made = make_source<Competitor, owned>();
        barrier();
    };
    const auto hold_batch = [&] {
        for (auto& made : batch)
            hold_one<Competitor>(set, made, std::make_index_sequence<Copies / 2>(),
                                 std::make_index_sequence<Copies>());
    };
    for (auto _ : state) state.SetIterationTime(undisturbed_seconds(make_batch, hold_batch));
}

void add_cell(plan& cells, const char* competitor, const char* test,
              void (*body)(benchmark::State&)) {
    cells.timed.push_back(
        {{competitor, test, std::nullopt, "ns"}, body, 1e9 / operations_per_reading, false});
}

template <class Competitor, std::size_t... Copies>
void add_hold(plan& cells, std::index_sequence<Copies...>) {
    (cells.timed.push_back({{Competitor::name, "hold", static_cast<std::int64_t>(Copies), "ns"},
                            hold<Competitor, Copies>,
                            1e9 / batch_size,
                            false}),
     ...);
}

}  // namespace

plan plan_operations(const selection& chosen) {
    plan cells;
    for_each_selected<all_competitors>(
        cells, chosen, {"hold", "copy", "move", "lock"}, [&]<class Competitor>() {
            add_hold<Competitor>(cells, set_sizes());
            if constexpr (copyable<Competitor>)
                add_cell(cells, Competitor::name, "copy",
                         copy_and_release<Competitor, benchmark::State>);
            add_cell(cells, Competitor::name, "move",
                     move_and_release<Competitor, benchmark::State>);
            if constexpr (with_weak<Competitor, pointee<Competitor>>)
                add_cell(cells, Competitor::name, "lock",
                         lock_and_release<Competitor, benchmark::State>);
        });
    if (chosen.process == process_kind::threaded) {
        add_cell(cells, "plain pair", "copy", pair<std::uint64_t, benchmark::State>);
        add_cell(cells, "locked pair", "copy", pair<std::atomic<std::uint64_t>, benchmark::State>);
        add_cell(cells, "locked pair, stored", "copy", stored_locked_pair<benchmark::State>);
    }
    return cells;
}

}  // namespace lab
