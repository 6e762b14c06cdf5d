// SPDX-License-Identifier: BSL-1.0
// What operations on counts cost on this machine.
#pragma once

#include "handles/counted_lines.hpp"

#include <algorithm>

namespace freehold {

/// Nanoseconds, as a usual figure and the interval that it lies in.
struct time_interval {
    double usual = 0;
    double least = 0;
    double most = 0;

    constexpr time_interval() = default;
    constexpr time_interval(double exact) : usual(exact), least(exact), most(exact) {}
    constexpr time_interval(double usual_, double least_, double most_)
        : usual(usual_), least(std::min(usual_, least_)), most(std::max(usual_, most_)) {}

    friend time_interval operator*(double times, const time_interval& each) {
        return {times * each.usual, times * each.least, times * each.most};
    }
    friend time_interval operator+(const time_interval& a, const time_interval& b) {
        return {a.usual + b.usual, a.least + b.least, a.most + b.most};
    }
    /// What is saved is not negative.
    friend time_interval operator-(const time_interval& a, const time_interval& b) {
        return {std::max(0.0, a.usual - b.usual), std::max(0.0, a.least - b.most),
                std::max(0.0, a.most - b.least)};
    }
};

/// The cache line of the count is in the thread's own cache, and no other thread asks for it: where
/// threads do share an object, an operation costs more. The usual figure is that of a copy and its
/// release with nothing around them. The least is found among independent work, with which the
/// processor overlaps them; the most where functions are called for them.
struct operation_costs {
    time_interval plain;       // an addition or a subtraction in a process of one thread
    time_interval locked;      // the same once there was a second thread
    time_interval weak_lock;   // a weak handle becomes an owner
    time_interval allocation;  // of counts apart from their object, and freeing them
    double sample = 0;         // that a sample stands for
};

/// Measures std::shared_ptr as it is; takes a tenth of a second, and starts a thread.
[[nodiscard]] operation_costs measure_operations();

/// What the operations of a line usually take together.
[[nodiscard]] double nanoseconds_of(const counted_line& line, const operation_costs& costs);

}  // namespace freehold
