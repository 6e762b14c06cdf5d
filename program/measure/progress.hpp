// SPDX-License-Identifier: BSL-1.0
// Shows what runs now, how much is done, and when it will end. On a terminal it rewrites one line.
// Otherwise it prints a line for each process of a lab.
#pragma once

#include "measure/time_estimate.hpp"

#include <chrono>
#include <cstdio>
#include <string>

namespace freehold {

/// "45 s", "2 min 5 s", "1 h 20 min".
[[nodiscard]] std::string duration_text(double seconds);

class progress {
public:
    progress(std::FILE* out, bool rewrites, time_estimate estimate);
    progress(const progress&) = delete;
    progress& operator=(const progress&) = delete;
    ~progress();

    void begin_suite(const std::string& name);
    void end_suite(bool whole);
    void begin_process(const std::string& description);
    /// The cell that the process measures now, and the share of the suite that is done.
    void update(const std::string& cell, double share);
    void tick();

    /// Seconds since the suite began.
    [[nodiscard]] double seconds() const;

private:
    using clock = std::chrono::steady_clock;

    void show(const std::string& line);
    [[nodiscard]] std::string state() const;

    std::FILE* out_;
    bool rewrites_;
    time_estimate estimate_;
    std::string suite_;
    std::string process_;
    std::string cell_;
    double share_ = 0;
    clock::time_point suite_began_ = clock::now();
    clock::time_point shown_{};
};

}  // namespace freehold
