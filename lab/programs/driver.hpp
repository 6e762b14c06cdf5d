// SPDX-License-Identifier: BSL-1.0
// The common code of all drivers. A driver defines driver::workload, and includes this file last.
//
// `DRIVER ITERATIONS single|threaded` runs the workload once to warm up, and then ITERATIONS times.
// It prints one line of JSON with the seconds of wall time and of processor time (all threads, user
// and system) of those runs, the sum of their results, and the peak resident memory. With
// `threaded`, it first starts a second thread, which sleeps until the end.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iostream>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>

#include <time.h>

namespace driver {

/// Does the program's work once and returns a number that depends on all of it.
std::uint64_t workload();

class second_thread {
public:
    second_thread() : thread_([this] { sleep(); }) {}
    second_thread(const second_thread&) = delete;
    second_thread& operator=(const second_thread&) = delete;

    ~second_thread() {
        {
            const std::lock_guard guard(mutex_);
            ending_ = true;
        }
        changed_.notify_one();
        thread_.join();
    }

private:
    void sleep() {
        std::unique_lock guard(mutex_);
        changed_.wait(guard, [this] { return ending_; });
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    bool ending_ = false;
    std::thread thread_;
};

/// In bytes. getrusage would include the memory of the process that started this one.
inline std::uint64_t peak_bytes() {
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;) {
        std::uint64_t kibibytes = 0;
        if (word == "VmHWM:" && status >> kibibytes) return kibibytes * 1024;
    }
    throw std::runtime_error("/proc/self/status has no VmHWM");
}

inline double processor_seconds() {
    timespec now{};
    if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now) != 0) {
        throw std::runtime_error("the process has no processor clock");
    }
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

inline void require(bool holds, const char* what) {
    if (!holds) throw std::runtime_error(std::string("the workload went wrong: ") + what);
}

}  // namespace driver

int main(int argc, char** argv) try {
    const std::string_view process = argc == 3 ? argv[2] : "";
    const std::uint64_t iterations = argc == 3 ? std::strtoull(argv[1], nullptr, 10) : 0;
    if (iterations == 0 || (process != "single" && process != "threaded")) {
        throw std::runtime_error("usage: DRIVER ITERATIONS single|threaded");
    }
    std::optional<driver::second_thread> second;
    if (process == "threaded") second.emplace();
    driver::workload();

    std::uint64_t checksum = 0;
    const double processor_start = driver::processor_seconds();
    const auto start = std::chrono::steady_clock::now();
    for (std::uint64_t i = 0; i < iterations; ++i) checksum += driver::workload();
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    const double processor = driver::processor_seconds() - processor_start;
    std::cout << "{\"wall\":" << elapsed.count() << ",\"processor\":" << processor
              << ",\"checksum\":" << checksum << ",\"peak_bytes\":" << driver::peak_bytes()
              << "}\n";
    return 0;
} catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
}
