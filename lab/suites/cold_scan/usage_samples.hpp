// SPDX-License-Identifier: BSL-1.0
// What the process uses while something runs: processor time, read every few milliseconds by a
// thread of its own, and the most memory that it had at any such moment.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <thread>
#include <vector>

namespace lab::cold_scan {

/// Since the process began.
struct usage {
    double user = 0;  // seconds, of all its threads
    double system = 0;
    double faults = 0;  // of pages, that needed no disk

    static usage now();
};

/// Bytes of this process that are in memory.
std::size_t resident_bytes();

class usage_samples {
public:
    struct sample {
        double seconds;  // since the first
        usage used;
    };

    usage_samples();
    ~usage_samples();
    usage_samples(const usage_samples&) = delete;
    usage_samples& operator=(const usage_samples&) = delete;

    /// Ends it. At least two samples: the first and the last are of the begin and the end.
    const std::vector<sample>& finish();

    [[nodiscard]] std::size_t most_resident_bytes() const { return most_resident_; }

private:
    using clock = std::chrono::steady_clock;

    void take();
    void watch();

    clock::time_point begin_ = clock::now();
    std::vector<sample> samples_;  // the thread's until it has ended, as the next is
    std::size_t most_resident_ = 0;
    std::mutex mutex_;
    std::condition_variable ended_;
    bool end_ = false;  // guarded by the mutex
    std::thread thread_;
};

/// The processors used in each of `parts` equal parts of the time, 1 for one processor.
struct usage_in_parts {
    std::vector<double> user;
    std::vector<double> system;
};
usage_in_parts in_parts(const std::vector<usage_samples::sample>& samples, std::size_t parts);

}  // namespace lab::cold_scan
