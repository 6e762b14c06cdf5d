// SPDX-License-Identifier: BSL-1.0
#include "suites/cold_scan/scan.hpp"

#include "suites/common/usage_samples.hpp"

#include <atomic>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>

namespace lab::cold_scan {
namespace {

/// Deals out the lines to the threads in order, and adds up their sums.
class shared_scan {
public:
    explicit shared_scan(std::size_t lines) : count_(lines) {}

    void take_part(reader& own) noexcept {
        try {
            std::int64_t sum = 0;
            for (;;) {
                // Relaxed: each number is dealt out once, in whatever order.
                const std::size_t line = next_.fetch_add(1, std::memory_order_relaxed);
                if (line >= count_) break;
                sum += own.sum(line);
            }
            const std::lock_guard lock(mutex_);
            sum_ += sum;
        } catch (...) {
            // Relaxed: the other threads only have to stop at some time.
            next_.store(count_, std::memory_order_relaxed);
            const std::lock_guard lock(mutex_);
            if (failure_ == nullptr) failure_ = std::current_exception();
        }
    }

    /// Call this only after all threads have ended.
    [[nodiscard]] std::int64_t sum() const {
        if (failure_ != nullptr) std::rethrow_exception(failure_);
        return sum_;
    }

private:
    const std::size_t count_;
    std::atomic<std::size_t> next_{0};
    std::mutex mutex_;
    std::int64_t sum_ = 0;          // guarded by the mutex, as the next is
    std::exception_ptr failure_{};  // the first
};

}  // namespace

scan_cost scan(const object_store& store, lines& all) {
    shared_scan work(store.lines());
    std::vector<std::unique_ptr<reader>> readers;
    while (readers.size() < scanning_threads()) readers.push_back(all.make_reader());
    const usage before = usage::now();
    usage_samples samples;
    std::vector<std::thread> threads;
    for (const auto& own : readers) threads.emplace_back([&] { work.take_part(*own); });
    for (std::thread& each : threads) each.join();
    const usage after = usage::now();
    const auto& taken = samples.finish();

    if (const std::int64_t sum = work.sum(); sum != store.expected_sum()) {
        throw std::runtime_error("the scan yields " + std::to_string(sum) + ", not " +
                                 std::to_string(store.expected_sum()) +
                                 ": what was read is not what was written");
    }
    usage_in_parts parts = in_parts(taken, parts_of_a_run);
    return {taken.back().seconds,         after.user - before.user, after.system - before.system,
            after.faults - before.faults, std::move(parts.user),    std::move(parts.system),
            samples.most_resident_bytes()};
}

}  // namespace lab::cold_scan
