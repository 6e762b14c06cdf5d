// SPDX-License-Identifier: BSL-1.0
// Estimates when the run will end. The estimate begins with the time of each suite on a typical
// machine, and is corrected by the speed of this machine so far. Pure: the caller measures the
// time.
#pragma once

#include <cstddef>
#include <vector>

namespace freehold {

class time_estimate {
public:
    struct suite {
        double typical_seconds;
        double limit_seconds;
    };

    explicit time_estimate(std::vector<suite> suites);

    /// The current suite ended, and took `seconds`.
    void suite_done(double seconds);

    /// Seconds until the last suite ends, when `share` (0 to 1) of the current suite is done.
    [[nodiscard]] double remaining(double seconds_in_suite, double share) const;

    /// The share of all work that is done, from 0 to 1.
    [[nodiscard]] double done(double seconds_in_suite, double share) const;

private:
    [[nodiscard]] double length_of_running(double seconds_in_suite, double share) const;
    [[nodiscard]] double expected(const suite& which, double slowness) const;

    std::vector<suite> suites_;
    std::size_t running_ = 0;
    double typical_so_far_ = 0;
    double seconds_so_far_ = 0;
};

}  // namespace freehold
