// SPDX-License-Identifier: BSL-1.0
// What the process uses while something runs. A separate thread reads the processor time every few
// milliseconds, and the memory at each of these moments. The largest memory is kept.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <thread>
#include <vector>

namespace lab {

/// The usage since the process began.
struct usage {
    double user = 0;  // seconds, of all its threads
    double system = 0;
    double faults = 0;  // page faults that needed no disk

    static usage now();
};

/// Returns the bytes of this process that are in memory.
std::size_t resident_bytes();

class usage_samples {
public:
    struct sample {
        double seconds;  // since the first sample
        usage used;
    };

    usage_samples();
    ~usage_samples();
    usage_samples(const usage_samples&) = delete;
    usage_samples& operator=(const usage_samples&) = delete;

    /// Ends the thread. Returns at least two samples, of the beginning and of the end.
    const std::vector<sample>& finish();

    [[nodiscard]] std::size_t most_resident_bytes() const { return most_resident_; }

private:
    using clock = std::chrono::steady_clock;

    void take();
    void watch();

    clock::time_point begin_ = clock::now();
    std::vector<sample> samples_;  // only the thread uses this and the next until it ends
    std::size_t most_resident_ = 0;
    std::mutex mutex_;
    std::condition_variable ended_;
    bool end_ = false;  // guarded by the mutex
    std::thread thread_;
};

/// The number of equal parts of a run's time for which the suites report usage.
inline constexpr std::size_t parts_of_a_run = 40;

/// The processors used in each of `parts` equal parts of the time. A value of 1 is one processor.
struct usage_in_parts {
    std::vector<double> user;
    std::vector<double> system;
};
usage_in_parts in_parts(const std::vector<usage_samples::sample>& samples, std::size_t parts);

}  // namespace lab
