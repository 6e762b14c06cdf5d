// SPDX-License-Identifier: BSL-1.0
// When it will end: from what each suite takes on a typical machine, corrected by how this machine
// compares so far. Pure: the caller has the clock.
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

    /// The suite that runs ended, after so long.
    void suite_done(double seconds);

    /// Seconds until the last suite ends, when the one that runs is `share` (0 to 1) done.
    [[nodiscard]] double remaining(double seconds_in_suite, double share) const;

    /// How much of all work is done, 0 to 1.
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
