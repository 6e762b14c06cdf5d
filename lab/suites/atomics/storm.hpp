// SPDX-License-Identifier: BSL-1.0
// One thread replaces what a pointer points to, without end, while others read.
#pragma once

#include "suites/atomics/scene.hpp"
#include "suites/common/rounds.hpp"
#include "suites/common/state.hpp"
#include "suites/common/thread_processors.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <set>
#include <thread>
#include <vector>

namespace lab::atomics {

/// One reader, two, and as many as leave the writer a processor.
inline std::set<std::size_t> reader_counts() {
    return {1, 2, std::max(2u, std::thread::hardware_concurrency()) - 1};
}

enum class storm_role { writer, reader };

/// The measurements of which the mean is taken. They are short, so that few are disturbed.
constexpr std::int64_t rounds_of_a_storm = 4;

/// Returns the seconds for an operation of the `timed` threads, as the mean over several readers.
/// These threads work for half a millisecond. Where threads share processors, they work once and so
/// long that every thread gets processor time. The other threads work until the timed ones have
/// finished.
template <class Subject>
double seconds_in_a_storm(std::size_t readers, storm_role timed) {
    using clock = std::chrono::steady_clock;
    constexpr std::size_t stores_at_a_time = 16;
    constexpr std::size_t reads_at_a_time = 256;
    const bool own = processors_of(readers + 1) == processors::own;
    const auto long_enough = std::chrono::microseconds(own ? 500 : 15'000);
    const auto shared = std::make_unique<scene<Subject>>();
    std::vector<double> seconds(readers + 1);
    rounds all(timed == storm_role::writer ? 1 : readers);
    const auto act = [&, round = std::size_t{0}](auto& actor, std::size_t number) mutable {
        ++round;
        const storm_role mine = number == 0 ? storm_role::writer : storm_role::reader;
        if (mine != timed) {
            while (!all.over(round)) {
                if (mine == storm_role::writer) {
                    actor.store();
                } else {
                    actor.read(reads_before_a_pause);
                }
            }
            return;
        }
        std::size_t operations = 0;
        const auto begin = clock::now();
        auto now = begin;
        do {
            if (mine == storm_role::writer) {
                for (std::size_t i = 0; i < stores_at_a_time; ++i) actor.store();
                operations += stores_at_a_time;
            } else {
                actor.read(reads_at_a_time);
                operations += reads_at_a_time;
            }
            now = clock::now();
        } while (now - begin < long_enough);
        all.done();
        seconds[number] =
            std::chrono::duration<double>(now - begin).count() / static_cast<double>(operations);
    };
    const std::int64_t times = own ? rounds_of_a_storm : 1;
    kernel_state state(times);
    perform(state, readers + 1, *shared, act, [&] {
        if (timed == storm_role::writer) return seconds.front();
        const double sum = std::accumulate(seconds.begin() + 1, seconds.end(), 0.0);
        return sum / static_cast<double>(readers);
    });
    return state.seconds() / static_cast<double>(times);
}

/// Returns the time that 999 of 1000 reads do not exceed, including one reading of the clock. It is
/// the lower quartile of several measurements.
template <class Subject>
double slow_read_seconds() {
    using clock = std::chrono::steady_clock;
    constexpr std::size_t reads = 8192;
    const auto shared = std::make_unique<scene<Subject>>();
    std::vector<clock::duration> times(reads);
    rounds all(1);
    const auto act = [&, round = std::size_t{0}](auto& actor, std::size_t number) mutable {
        ++round;
        if (number == 0) {
            while (!all.over(round)) actor.store();
            return;
        }
        auto before = clock::now();
        for (clock::duration& each : times) {
            actor.read(1);
            const auto now = clock::now();
            each = now - before;
            before = now;
        }
        all.done();
    };
    kernel_state state(rounds_of_a_storm);
    perform(state, 2, *shared, act, [&] {
        const auto slow = times.begin() + reads * 999 / 1000;
        std::nth_element(times.begin(), slow, times.end());
        return std::chrono::duration<double>(*slow).count();
    });
    return state.seconds() / rounds_of_a_storm;
}

}  // namespace lab::atomics
