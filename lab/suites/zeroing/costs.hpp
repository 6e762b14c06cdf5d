// SPDX-License-Identifier: BSL-1.0
// What filling lines costs, as the system reports it for the thread that fills them.
#pragma once

#include "suites/common/timing.hpp"
#include "suites/zeroing/line.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <vector>

#include <sys/resource.h>

namespace lab::lines {

/// The suffixes of a case's key for the figures of a cell, in this order.
constexpr std::array<const char*, 6> cost_suffixes = {"",      ".user",   ".system",
                                                      ".wall", ".faults", ".memset"};

/// The costs of all lines together: seconds, and a number of page faults.
struct costs {
    double processor = 0;
    double user = 0;  // the part of `processor` in user code; the system finds it by sampling
    double system = 0;
    double wall = 0;
    double faults = 0;
    double memset = 0;  // setting bytes to zero that the program asked for without a value

    /// Returns each cost for a GiB of lines, in the order of cost_suffixes.
    std::vector<double> per_gibibyte(std::size_t lines) const {
        const double share =
            static_cast<double>(gibibyte) / static_cast<double>(lines * line_bytes);
        return {processor * share, user * share,   system * share,
                wall * share,      faults * share, memset * share};
    }
};

/// Measures from its construction on.
class cost_meter {
public:
    cost_meter() : usage_(usage_now()), wall_(wall_clock::now()), processor_(clock_.seconds()) {}

    costs read() const {
        costs all;
        all.processor = clock_.seconds() - processor_;
        all.wall = std::chrono::duration<double>(wall_clock::now() - wall_).count();
        const rusage now = usage_now();
        const double user = seconds(now.ru_utime) - seconds(usage_.ru_utime);
        const double system = seconds(now.ru_stime) - seconds(usage_.ru_stime);
        // Both increase in steps, so their sum is less exact than the clock.
        const double share = user + system > 0 ? user / (user + system) : 0;
        all.user = all.processor * share;
        all.system = all.processor - all.user;
        all.faults = static_cast<double>(now.ru_minflt - usage_.ru_minflt + now.ru_majflt -
                                         usage_.ru_majflt);
        return all;
    }

private:
    using wall_clock = std::chrono::steady_clock;

    static rusage usage_now() noexcept {
        rusage usage{};
        getrusage(RUSAGE_THREAD, &usage);
        return usage;
    }
    static double seconds(const timeval& time) noexcept {
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
    }

    processor_clock clock_{processor_clock::of::thread};
    rusage usage_;
    wall_clock::time_point wall_;
    double processor_;
};

}  // namespace lab::lines
