// SPDX-License-Identifier: BSL-1.0
// Threads that take jobs from one queue, in order. They are created at the first job.
#pragma once

#include <freehold/config.hpp>

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace freehold::inline FREEHOLD_ABI::detail {

template <class Job>
class job_threads {
public:
    // Each thread calls work(job), which must not throw.
    job_threads(unsigned threads, std::function<void(Job)> work)
        : count_(threads), work_(std::move(work)) {}
    job_threads(const job_threads&) = delete;
    job_threads& operator=(const job_threads&) = delete;
    ~job_threads() { end(); }

    // Takes the job, unless it throws: std::bad_alloc, or std::system_error if the system gives no
    // thread.
    void push(Job job) {
        const std::lock_guard lock(mutex_);
        while (threads_.size() < count_) {
            threads_.emplace_back([this] { serve(); });
        }
        jobs_.push_back(std::move(job));
        // Under the mutex, because the job may allow another thread to destroy this object.
        work_available_.notify_one();
    }

    [[nodiscard]] std::size_t waiting() const noexcept {
        const std::lock_guard lock(mutex_);
        return jobs_.size();
    }

    // Whether end() was called. Jobs poll it.
    [[nodiscard]] bool is_ending() const noexcept {
        // relaxed: a hint for jobs; the mutex orders it for waiting threads.
        return ending_.load(std::memory_order_relaxed);
    }

    // Waits for the jobs that have begun. Returns the others. No push may follow.
    const std::deque<Job>& end() noexcept {
        {
            const std::lock_guard lock(mutex_);
            ending_.store(true, std::memory_order_relaxed);  // relaxed: as above
        }
        work_available_.notify_all();
        for (std::thread& thread : threads_) thread.join();
        threads_.clear();
        return jobs_;
    }

private:
    void serve() noexcept {
        std::unique_lock lock(mutex_);
        for (;;) {
            work_available_.wait(lock, [this] { return is_ending() || !jobs_.empty(); });
            if (is_ending()) return;
            const Job job = std::move(jobs_.front());
            jobs_.pop_front();
            lock.unlock();
            work_(job);
            lock.lock();
        }
    }

    const std::size_t count_;
    const std::function<void(Job)> work_;
    mutable std::mutex mutex_;  // guards all below; ending_ is also read without it
    std::condition_variable work_available_;
    std::atomic<bool> ending_{false};
    std::deque<Job> jobs_;
    std::vector<std::thread> threads_;
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
