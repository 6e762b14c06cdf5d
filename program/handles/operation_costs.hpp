// SPDX-License-Identifier: BSL-1.0
// The costs of operations on counts on this machine.
#pragma once

#include "handles/counted_lines.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace freehold {

/// A time in nanoseconds: the usual one, and the interval of possible ones.
struct time_interval {
    double usual = 0;
    double least = 0;
    double most = 0;
    bool is_steady = true;  // else the usual time is only good for an order

    constexpr time_interval() = default;
    constexpr time_interval(double exact) : usual(exact), least(exact), most(exact) {}
    constexpr time_interval(double usual_, double least_, double most_)
        : usual(usual_), least(std::min(usual_, least_)), most(std::max(usual_, most_)) {}

    friend time_interval operator*(double times, const time_interval& each) {
        time_interval result(times * each.usual, times * each.least, times * each.most);
        result.is_steady = each.is_steady;
        return result;
    }
    friend time_interval operator+(const time_interval& a, const time_interval& b) {
        time_interval result(a.usual + b.usual, a.least + b.least, a.most + b.most);
        result.is_steady = a.is_steady && b.is_steady;
        return result;
    }
};

/// The costs if the count's cache line is in the thread's own cache and no other thread uses it. If
/// threads share an object, an operation costs more. They depend on the code around. The usual
/// figures are means among several kinds of work. A copy that is passed to a function by value
/// costs more than a variable: its words go through memory, and the caller must return to release
/// it, where it could end with a jump. The least is half of the lowest figure of a variable. The
/// most is the highest figure, or the time without other work, in which a release waits for its
/// copy.
struct operation_costs {
    time_interval plain;               // an addition or a subtraction in a process of one thread
    time_interval locked;              // the same after a second thread was started
    time_interval plain_in_variable;   // as `plain`, if the copy is a variable of its function
    time_interval locked_in_variable;  // as `locked`, likewise
    time_interval locking;             // by how much a locked operation takes longer
    time_interval weak_lock;           // a weak handle makes an owner
    time_interval allocation;  // allocating counts separately from the object, and freeing them
    double sample = 0;         // the time that one sample represents
};

/// The measured figures, and their names in a result file.
inline constexpr std::array cost_figures = {
    std::pair{"plain", &operation_costs::plain},
    std::pair{"locked", &operation_costs::locked},
    std::pair{"plain_in_variable", &operation_costs::plain_in_variable},
    std::pair{"locked_in_variable", &operation_costs::locked_in_variable},
    std::pair{"locking", &operation_costs::locking},
    std::pair{"weak_lock", &operation_costs::weak_lock},
    std::pair{"allocation", &operation_costs::allocation},
};

/// Measures std::shared_ptr, in rounds until the three quickest agree. It takes a quarter of a
/// second, or up to one on a machine that is busy, and starts a thread. If the rounds do not
/// agree, the figures are not steady, and their intervals contain those of all rounds.
[[nodiscard]] operation_costs measure_operations();

/// Returns the indices of the three least times if they differ by a tenth at most. Otherwise the
/// result is empty.
[[nodiscard]] std::vector<std::size_t> quickest_that_agree(const std::vector<double>& times);

/// Returns the median of each figure, with an interval that contains those of all rounds.
[[nodiscard]] operation_costs joined(const std::vector<operation_costs>& rounds, bool is_steady);

/// Returns the time of operations, of which some do not lock, and some are in variables. Locks of
/// weak handles are not among them.
[[nodiscard]] time_interval time_of(std::uint64_t operations, std::uint64_t plain,
                                    std::uint64_t in_variables, const operation_costs& costs);
/// Returns the time of all operations of a line.
[[nodiscard]] time_interval time_of(const counted_line& line, const operation_costs& costs);
/// Returns the usual one.
[[nodiscard]] double nanoseconds_of(const counted_line& line, const operation_costs& costs);

}  // namespace freehold
