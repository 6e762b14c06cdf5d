// SPDX-License-Identifier: BSL-1.0
#include "measure/time_estimate.hpp"

#include <algorithm>
#include <utility>

namespace freehold {

time_estimate::time_estimate(std::vector<suite> suites) : suites_(std::move(suites)) {}

void time_estimate::suite_done(double seconds) {
    typical_so_far_ += suites_[running_].typical_seconds;
    seconds_so_far_ += seconds;
    ++running_;
}

double time_estimate::expected(const suite& which, double slowness) const {
    return std::min(which.typical_seconds * slowness, which.limit_seconds);
}

/// The first processes of a suite are a poor estimate, because its cells differ in length. Their
/// weight is four times the share of the suite that is done, and at most 1.
double time_estimate::length_of_running(double seconds_in_suite, double share) const {
    const double slowness = typical_so_far_ > 0 ? seconds_so_far_ / typical_so_far_ : 1;
    const double before = expected(suites_[running_], slowness);
    const double weight = std::min(1.0, share * 4);
    const double own = share > 0 ? seconds_in_suite / share : 0;
    return std::max(seconds_in_suite, weight * own + (1 - weight) * before);
}

double time_estimate::remaining(double seconds_in_suite, double share) const {
    if (running_ == suites_.size()) return 0;
    const double length = length_of_running(seconds_in_suite, share);
    const double slowness =
        (seconds_so_far_ + length) / (typical_so_far_ + suites_[running_].typical_seconds);
    double rest = length - seconds_in_suite;
    for (std::size_t i = running_ + 1; i < suites_.size(); ++i)
        rest += expected(suites_[i], slowness);
    return rest;
}

double time_estimate::done(double seconds_in_suite, double share) const {
    const double past = seconds_so_far_ + seconds_in_suite;
    const double rest = remaining(seconds_in_suite, share);
    if (running_ == suites_.size()) return 1;
    return past + rest > 0 ? past / (past + rest) : 0;
}

}  // namespace freehold
