// SPDX-License-Identifier: BSL-1.0
// The operation test of "Smart Pointer Timings". It acquires a pointee, and copies its handle n
// times into a set of handles: half by assignment, half by copy construction. Then it releases all
// handles, which frees the pointee. The suite also measures single operations.
#pragma once

#include "runner/registry.hpp"
#include "subjects/handle.hpp"
#include "suites/common/barrier.hpp"
#include "suites/common/pointee.hpp"
#include "suites/common/settle_heap.hpp"
#include "suites/common/timing.hpp"
#include "suites/operations/in_a_row.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace lab::operations {

using set_sizes = std::index_sequence<0, 2, 4, 8, 16, 32>;

/// The pointees for each clock reading. With so many the cost of the readings is negligible, and
/// they still stay in the cache.
constexpr std::size_t batch_size = 1024;

template <class Subject, class Handle>
[[gnu::always_inline]] inline void assign_and_construct(Handle* last) {
    std::construct_at(last + 1);
    barrier();
    last[1] = Subject::copy(last[0]);
    barrier();
    std::construct_at(last + 2, Subject::copy(last[1]));
    barrier();
}

template <class Handle>
[[gnu::always_inline]] inline void release(Handle* handle) {
    std::destroy_at(handle);
    barrier();
}

// The operations are written out one after another, not in loops. From some length on and in some
// layouts of the code, the processor mispredicts the end of a loop, and the handle's time would
// include that.
template <class Subject, class Handle, class Source, std::size_t... Pair, std::size_t... Place>
[[gnu::always_inline]] inline void hold_one(Handle* set, Source& made, std::index_sequence<Pair...>,
                                            std::index_sequence<Place...>) {
    std::construct_at(set, std::move(made));
    barrier();
    (assign_and_construct<Subject>(set + 2 * Pair), ...);
    (release(set + Place), ...);
    Subject::abandon(set[sizeof...(Place)]);
    release(set + sizeof...(Place));
}

/// Not inlined: the kernels of all set sizes call it, and it is not timed.
template <class Subject, class Source>
[[gnu::noinline]] void make_batch(std::vector<Source>& batch) {
    for (Source& made : batch) made = make_source<Subject, pointee<Subject>>();
    barrier();
}

template <class Subject, std::size_t Copies>
void hold(kernel_state& state) {
    using owned = pointee<Subject>;
    using handle = typename Subject::template handle<owned>;
    static_assert(sizeof(owned) == 16 || sizeof(owned) == 24, "pointees share a size of malloc's");

    alignas(handle) std::array<std::byte, sizeof(handle) * (Copies + 1)> storage;
    auto* set = reinterpret_cast<handle*>(storage.data());
    std::vector<source<Subject, owned>> batch(batch_size);
    escape(set);
    escape(batch.data());

    settle_heap();
    const auto hold_batch = [&] {
        for (auto& made : batch)
            hold_one<Subject>(set, made, std::make_index_sequence<Copies / 2>(),
                              std::make_index_sequence<Copies>());
    };
    for (auto _ : state)
        state.set_iteration_time(
            undisturbed_seconds([&] { make_batch<Subject>(batch); }, hold_batch));
}

struct suite : one_subject {
    static constexpr std::array<std::string_view, 4> cases = {"hold", "copy", "move", "lock"};

    template <class Subject>
    static void add(plan& cells, const selection&) {
        add_hold<Subject>(cells, set_sizes());
        if constexpr (copyable<Subject>) add_one<Subject>(cells, "copy", copy_and_release<Subject>);
        add_one<Subject>(cells, "move", move_and_release<Subject>);
        if constexpr (with_weak<Subject, pointee<Subject>>) {
            add_one<Subject>(cells, "lock", lock_and_release<Subject>);
        }
    }

private:
    template <class Subject>
    static void add_one(plan& cells, const char* test, kernel run) {
        add_kernel(cells, {key_of(Subject::is.name), test}, 1e9 / operations_per_reading, run);
    }
    template <class Subject, std::size_t... Copies>
    static void add_hold(plan& cells, std::index_sequence<Copies...>) {
        (add_kernel(cells, {key_of(Subject::is.name), "hold", static_cast<std::int64_t>(Copies)},
                    1e9 / batch_size, hold<Subject, Copies>),
         ...);
    }
};

}  // namespace lab::operations
