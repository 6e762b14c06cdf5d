// SPDX-License-Identifier: BSL-1.0
// Clocks that are not disturbed when another program gets the processor.
#pragma once

#include <chrono>
#include <ctime>
#include <stdexcept>

#include <sys/resource.h>

namespace lab {

/// Reads a clock of processor time. A reading costs a system call of about 0.2 microseconds, so the
/// clock suits measurements of milliseconds.
class processor_clock {
public:
    enum class of { process, thread };

    explicit processor_clock(of what) noexcept
        : id_(what == of::process ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_THREAD_CPUTIME_ID) {}

    double seconds() const {
        timespec now{};
        if (clock_gettime(id_, &now) != 0) {
            throw std::runtime_error("this system does not report a process's processor time");
        }
        return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
    }

private:
    clockid_t id_;
};

/// Returns the processor time of the whole process during `run`. It includes page faults and other
/// threads.
template <class Run>
double processor_seconds(Run&& run) {
    const processor_clock clock(processor_clock::of::process);
    const double begin = clock.seconds();
    run();
    return clock.seconds() - begin;
}

/// Returns how often the system has preempted this thread.
inline long times_preempted() noexcept {
    rusage usage{};
    getrusage(RUSAGE_THREAD, &usage);
    return usage.ru_nivcsw;
}

/// Returns the time that `run` takes, for measurements of microseconds. It reads the cheapest
/// clock. If the thread was preempted during `run`, it calls `prepare` and `run` again. After a few
/// attempts it gives up.
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
