// SPDX-License-Identifier: BSL-1.0
#include "runner/quiet_cores.hpp"

#include "suites/common/thread_processors.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <thread>

#include <sched.h>

namespace lab {
namespace {

constexpr int most_attempts = 4;
/// On a larger machine another program disturbs one of the cores most of the time.
constexpr std::size_t most_processors = 8;

}  // namespace

quiet_cores::quiet_cores(double (*additions)() noexcept)
    : additions_(additions), usable_(usable_processors()) {}

bool quiet_cores::is_quiet(int processor) {
    // Undisturbed, the additions vary by 3 %.
    constexpr double least_share = 0.9;
    const kept_on_processor here(processor);
    const double additions = additions_();
    most_additions_ = std::max(most_additions_, additions);
    return additions >= most_additions_ * least_share;
}

bool quiet_cores::find_quiet_processor() {
    processor_ = sched_getcpu();
    if (is_quiet(processor_)) return true;
    // The system leaves the thread where it ran last, unless something else runs there.
    for (const int other : usable_) {
        if (other == processor_ || !is_quiet(other)) continue;
        processor_ = other;
        return true;
    }
    return false;
}

bool quiet_cores::wait_for_quiet_processor() {
    constexpr std::chrono::milliseconds a_while{2};
    while (!find_quiet_processor()) {
        if (!patience_.takes(a_while)) return false;
        std::this_thread::sleep_for(a_while);
    }
    return true;
}

bool quiet_cores::all_are_quiet() {
    if (usable_.size() > most_processors) return is_quiet(sched_getcpu());
    return std::all_of(usable_.begin(), usable_.end(), [this](int each) { return is_quiet(each); });
}

double quiet_cores::seconds(const std::function<measured_time()>& take) {
    double shortest = std::numeric_limits<double>::infinity();
    for (int attempt = 1; attempt <= most_attempts; ++attempt) {
        const bool quiet = wait_for_quiet_processor();
        const auto begin = std::chrono::steady_clock::now();
        const measured_time took = take();
        const auto lasted = std::chrono::steady_clock::now() - begin;
        if (attempt == 1) patience_.measured(lasted);
        if (quiet && (took.elsewhere ? all_are_quiet() : is_quiet(processor_))) {
            if (attempt > 1) ++counts_.repeated;
            return took.seconds;
        }
        shortest = std::min(shortest, took.seconds);
        if (!quiet || !patience_.takes(lasted)) break;
    }
    ++counts_.disturbed;
    return shortest;
}

}  // namespace lab
