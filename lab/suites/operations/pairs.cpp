// SPDX-License-Identifier: BSL-1.0
// The bare counting that every counted handle needs.
#include "runner/registry.hpp"
#include "subjects/shared_identities.hpp"
#include "suites/common/barrier.hpp"
#include "suites/operations/in_a_row.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <type_traits>

namespace lab::operations {
namespace {

// The memory orders that a count needs. A copy is made from a live handle, so the add is relaxed.
// The last release must see what was done through all other handles.
void add(std::atomic<std::uint64_t>& count) noexcept {
    count.fetch_add(1, std::memory_order_relaxed);
}
void subtract(std::atomic<std::uint64_t>& count) noexcept {
    count.fetch_sub(1, std::memory_order_acq_rel);
}

/// Adds to a word in memory and subtracts again, as a count does, but without a test of the result.
template <class Word>
void pair(kernel_state& state) {
    const auto word = std::make_unique<Word>(1);
    const auto step = [count = hidden(word.get())]() __attribute__((always_inline)) {
        if constexpr (std::is_same_v<Word, std::uint64_t>) {
            *count += 1;
            barrier();
            *count -= 1;
        } else {
            add(*count);
            barrier();
            subtract(*count);
        }
        barrier();
    };
    for ([[maybe_unused]] auto _ : state) state.set_iteration_time(seconds_in_a_row<1>(step));
}

/// The same, reached as from handles in memory. The copy of the pointer is written before the add
/// and read before the subtraction. The add waits for that write.
void stored_locked_pair(kernel_state& state) {
    const auto word = std::make_unique<std::atomic<std::uint64_t>>(1);
    std::array<std::atomic<std::uint64_t>*, 2> handles = {word.get(), nullptr};
    escape(handles.data());
    const auto step = [of = handles.data()]() __attribute__((always_inline)) {
        of[1] = of[0];
        add(*of[1]);
        barrier();
        subtract(*of[1]);
        barrier();
    };
    for ([[maybe_unused]] auto _ : state) state.set_iteration_time(seconds_in_a_row<1>(step));
}

constexpr identity plain_pair = {.name = "plain pair", .family = family::lower_bound, .order = 3};
constexpr identity locked_pair_stored = {
    .name = "locked pair, stored", .family = family::lower_bound, .order = 5};

void add_pairs(plan& into, const selection& chosen) {
    const auto add = [&](const identity& of, kernel run) {
        if (chosen.wants(of)) {
            add_kernel(into, {key_of(of.name), "copy"}, 1e9 / operations_per_reading, run);
        }
    };
    add(plain_pair, pair<std::uint64_t>);
    add(identities::locked_pair, pair<std::atomic<std::uint64_t>>);
    add(locked_pair_stored, stored_locked_pair);
}

const registration here("operations", add_pairs,
                        subjects_of({plain_pair, identities::locked_pair, locked_pair_stored}));

}  // namespace
}  // namespace lab::operations
