// SPDX-License-Identifier: BSL-1.0
// Clocks that another program's turn on the processor does not disturb.
#pragma once

#include <chrono>
#include <ctime>
#include <stdexcept>

#include <sys/resource.h>

namespace lab {

/// Reads a clock of processor time. It costs a system call, some 0.2 microseconds: for what takes
/// milliseconds.
class processor_clock {
public:
    enum class of { process, thread };

    explicit processor_clock(of what) noexcept
        : id_(what == of::process ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_THREAD_CPUTIME_ID) {}

    double seconds() const {
        timespec now{};
        if (clock_gettime(id_, &now) != 0) {
            throw std::runtime_error("this system does not tell a process's processor time");
        }
        return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
    }

private:
    clockid_t id_;
};

/// The processor time of the whole process that `run` takes: page faults and helping threads
/// included.
template <class Run>
double processor_seconds(Run&& run) {
    const processor_clock clock(processor_clock::of::process);
    const double begin = clock.seconds();
    run();
    return clock.seconds() - begin;
}

/// How often this thread was made to leave the processor to another.
inline long times_preempted() noexcept {
    rusage usage{};
    getrusage(RUSAGE_THREAD, &usage);
    return usage.ru_nivcsw;
}

/// The time that `run` takes, for what takes microseconds: read from the cheapest clock, and anew,
/// after another `prepare`, if the thread was preempted meanwhile. Gives up on being alone after a
/// few attempts.
template <class Prepare, class Run>
double undisturbed_seconds(Prepare&& prepare, Run&& run) {
    using clock = std::chrono::steady_clock;
    constexpr int attempts = 5;
    for (int attempt = 1;; ++attempt) {
        prepare();
        const long before = times_preempted();
        const auto begin = clock::now();
        run();
        const auto end = clock::now();
        if (times_preempted() == before || attempt == attempts) {
            return std::chrono::duration<double>(end - begin).count();
        }
    }
}

}  // namespace lab
