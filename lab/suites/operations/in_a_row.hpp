// SPDX-License-Identifier: BSL-1.0
// One operation of a handle and its inverse, repeated with one live pointee.
#pragma once

#include "subjects/handle.hpp"
#include "suites/common/barrier.hpp"
#include "suites/common/pointee.hpp"
#include "suites/common/state.hpp"
#include "suites/common/timing.hpp"

#include <array>
#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

namespace lab::operations {

/// The number of operations in one pass of the loop, and the number of passes between two readings
/// of the clock. With these, the loop and the reading cost little compared with the cheapest
/// operation.
constexpr std::size_t operations_in_a_row = 8;
constexpr std::size_t rows = 2048;
constexpr std::size_t operations_per_reading = operations_in_a_row * rows;

/// Returns the time of `operations_per_reading` operations. One call of `step` does `Operations` of
/// them.
template <std::size_t Operations, class Step>
double seconds_in_a_row(Step step) {
    static_assert(operations_in_a_row % Operations == 0);
    const auto run = [step] {
        Step operation = step;  // a local copy: its captures are in registers
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

/// Two places for handles in memory. During this object's life the first holds the only handle.
template <class Subject>
class one_alive {
public:
    using owned = pointee<Subject>;
    using handle = typename Subject::template handle<owned>;

    one_alive() {
        std::construct_at(first(), make_source<Subject, owned>());
        escape(first());
    }
    ~one_alive() {
        Subject::abandon(*first());
        std::destroy_at(first());
    }
    one_alive(const one_alive&) = delete;
    one_alive& operator=(const one_alive&) = delete;

    handle* first() noexcept { return reinterpret_cast<handle*>(storage_.data()); }
    handle* second() noexcept { return first() + 1; }

private:
    alignas(handle) std::array<std::byte, 2 * sizeof(handle)> storage_;
};

template <class Subject>
constexpr bool copyable = std::is_copy_constructible_v<typename one_alive<Subject>::handle>;

template <class Subject>
void copy_and_release(kernel_state& state) {
    one_alive<Subject> alive;
    const auto* const original = alive.first();
    auto* const copy = alive.second();
    const auto step = [=]() __attribute__((always_inline)) {
        std::construct_at(copy, *original);
        barrier();
        std::destroy_at(copy);
        barrier();
    };
    for ([[maybe_unused]] auto _ : state) state.set_iteration_time(seconds_in_a_row<1>(step));
}

/// Moves a handle to the other place and back: two moves.
template <class Subject>
void move_and_release(kernel_state& state) {
    one_alive<Subject> alive;
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
    for ([[maybe_unused]] auto _ : state) state.set_iteration_time(seconds_in_a_row<2>(step));
}

template <class Subject>
void lock_and_release(kernel_state& state) {
    one_alive<Subject> alive;
    using owned = typename one_alive<Subject>::owned;
    using handle = typename one_alive<Subject>::handle;
    const typename Subject::template weak<owned> watching(*alive.first());
    const auto* const watcher = &watching;
    escape(watcher);
    auto* const locked = alive.second();
    const auto step = [=]() __attribute__((always_inline)) {
        ::new (static_cast<void*>(locked)) handle(watcher->lock());
        barrier();
        std::destroy_at(locked);
        barrier();
    };
    for ([[maybe_unused]] auto _ : state) state.set_iteration_time(seconds_in_a_row<1>(step));
}

}  // namespace lab::operations
