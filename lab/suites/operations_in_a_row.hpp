// SPDX-License-Identifier: BSL-1.0
// One operation of a handle and what undoes it, over and over, with one pointee alive; and the bare
// counting that no counted handle can do without. A State is Google Benchmark's, or
// peers/host.hpp's.
#pragma once

#include "competitors/competitor.hpp"
#include "suites/barrier.hpp"
#include "suites/pointee.hpp"
#include "suites/timing.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

namespace lab {

/// So many stand one behind the other in a loop, and so often goes the loop between two readings of
/// the clock: neither the loop nor the reading weighs beside the cheapest of them.
constexpr std::size_t operations_in_a_row = 8;
constexpr std::size_t rows = 2048;
constexpr std::size_t operations_per_reading = operations_in_a_row * rows;

/// The time of `operations_per_reading`, of which `step` is `Operations`.
template <std::size_t Operations, class Step>
double seconds_in_a_row(Step step) {
    static_assert(operations_in_a_row % Operations == 0);
    const auto run = [step] {
        Step operation = step;  // what it captured is in registers, not behind this
        for (std::size_t row = 0; row < rows; ++row) {
            [&]<std::size_t... Place>(std::index_sequence<Place...>)
                __attribute__((always_inline)) {
                ((static_cast<void>(Place), operation()), ...);
            }
            (std::make_index_sequence<operations_in_a_row / Operations>());
        }
    };
    return undisturbed_seconds([] {}, run);
}

/// Two places for handles in memory, and one handle in the first, alone, while this lives.
template <class Competitor>
class one_alive {
public:
    using owned = pointee<Competitor>;
    using handle = typename Competitor::template handle<owned>;

    one_alive() {
        std::construct_at(first(), make_source<Competitor, owned>());
        escape(first());
    }
    ~one_alive() {
        Competitor::abandon(*first());
        std::destroy_at(first());
    }
    one_alive(const one_alive&) = delete;
    one_alive& operator=(const one_alive&) = delete;

    handle* first() noexcept { return reinterpret_cast<handle*>(storage_.data()); }
    handle* second() noexcept { return first() + 1; }

private:
    alignas(handle) std::array<std::byte, 2 * sizeof(handle)> storage_;
};

template <class Competitor>
constexpr bool copyable = std::is_copy_constructible_v<typename one_alive<Competitor>::handle>;

template <class Competitor, class State>
void copy_and_release(State& state) {
    one_alive<Competitor> alive;
    const auto* const original = alive.first();
    auto* const copy = alive.second();
    const auto step = [=]() __attribute__((always_inline)) {
        std::construct_at(copy, *original);
        barrier();
        std::destroy_at(copy);
        barrier();
    };
    for ([[maybe_unused]] auto _ : state) state.SetIterationTime(seconds_in_a_row<1>(step));
}

/// There and back: two moves.
template <class Competitor, class State>
void move_and_release(State& state) {
    one_alive<Competitor> alive;
    auto* const here = alive.first();
    auto* const there = alive.second();
    const auto move = [](auto* from, auto* to) __attribute__((always_inline)) {
        std::construct_at(to, std::move(*from));
        barrier();
        std::destroy_at(from);
        barrier();
    };
    const auto step = [=]() __attribute__((always_inline)) {
        move(here, there);
        move(there, here);
    };
    for ([[maybe_unused]] auto _ : state) state.SetIterationTime(seconds_in_a_row<2>(step));
}

template <class Competitor, class State>
void lock_and_release(State& state) {
    one_alive<Competitor> alive;
    using owned = typename one_alive<Competitor>::owned;
    using handle = typename one_alive<Competitor>::handle;
    const typename Competitor::template weak<owned> watching(*alive.first());
    const auto* const watcher = &watching;
    escape(watcher);
    auto* const locked = alive.second();
    const auto step = [=]() __attribute__((always_inline)) {
        ::new (static_cast<void*>(locked)) handle(watcher->lock());
        barrier();
        std::destroy_at(locked);
        barrier();
    };
    for ([[maybe_unused]] auto _ : state) state.SetIterationTime(seconds_in_a_row<1>(step));
}

// The orders that a count needs: a copy is made from a handle that is alive, and the last release
// has to see what was done through all others.
inline void add(std::atomic<std::uint64_t>& count) noexcept {
    count.fetch_add(1, std::memory_order_relaxed);
}
inline void subtract(std::atomic<std::uint64_t>& count) noexcept {
    count.fetch_sub(1, std::memory_order_acq_rel);
}

/// Adds to a word in memory and takes it back, as a count does; without looking at it.
template <class Word, class State>
void pair(State& state) {
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
    for ([[maybe_unused]] auto _ : state) state.SetIterationTime(seconds_in_a_row<1>(step));
}

/// The same, reached as from handles in memory: the copy of the pointer is written before the add,
/// which waits for it, and read before the subtraction.
template <class State>
void stored_locked_pair(State& state) {
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
    for ([[maybe_unused]] auto _ : state) state.SetIterationTime(seconds_in_a_row<1>(step));
}

}  // namespace lab
