// SPDX-License-Identifier: BSL-1.0
// An object with its owner is made and dropped: one at a time, and a thousand before the first is
// dropped.
#pragma once

#include "subjects/handle.hpp"
#include "suites/common/barrier.hpp"
#include "suites/common/pointee.hpp"
#include "suites/common/settle_heap.hpp"
#include "suites/common/state.hpp"
#include "suites/common/timing.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lab::construction {

/// The number of objects between two readings of the clock, and of the live objects in `1024
/// alive`.
constexpr std::size_t batch_size = 1024;

template <class Subject>
using owned = pointee<Subject>;

template <class Subject>
using handle_of = typename Subject::template handle<owned<Subject>>;

template <class Subject>
void one(kernel_state& state) {
    settle_heap();
    const auto make_and_drop = [] {
        for (std::uint64_t i = 0; i < batch_size; ++i) {
            auto handle = make_owned<Subject, owned<Subject>>(i);
            escape(&handle);
            Subject::abandon(handle);
        }
    };
    for ([[maybe_unused]] auto _ : state)
        state.set_iteration_time(undisturbed_seconds([] {}, make_and_drop));
}

/// All objects are made before the first is dropped. No cache of free blocks for small counts has
/// room for so many; glibc's holds seven blocks for a thread.
template <class Subject>
void many(kernel_state& state) {
    settle_heap();
    std::vector<handle_of<Subject>> alive(batch_size);
    escape(alive.data());
    const auto make_then_drop = [&] {
        for (std::uint64_t i = 0; i < batch_size; ++i) {
            alive[i] = make_owned<Subject, owned<Subject>>(i);
            barrier();
        }
        for (auto& handle : alive) {
            Subject::abandon(handle);
            handle = handle_of<Subject>();
            barrier();
        }
    };
    for ([[maybe_unused]] auto _ : state)
        state.set_iteration_time(undisturbed_seconds([] {}, make_then_drop));
}

}  // namespace lab::construction
