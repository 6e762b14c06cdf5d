// SPDX-License-Identifier: BSL-1.0
// Threads that repeatedly run the same batch at the same time.
#pragma once

#include "suites/common/spin_until.hpp"
#include "suites/common/state.hpp"
#include "suites/common/thread_distance.hpp"
#include "suites/common/thread_processors.hpp"
#include "suites/common/timing.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <limits>
#include <optional>
#include <semaphore>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

namespace lab {

/// The place where threads wait, spinning, until the leading thread releases all of them at once.
/// `arrived_` counts the other threads that have arrived since the last round began. `round_` and
/// `called_to_` change only while all others wait here. The last change of `round_`, to `closed`,
/// may happen at any time.
class start_line {
public:
    enum class call { answer, rest, gather, start, end };

    start_line(std::size_t others, processors have) noexcept : others_(others), have_(have) {}

    /// The leading thread waits until all others have arrived. It then sees what they did before.
    void wait_for_others() const {
        spin_until([&] { return arrived_.load(std::memory_order_acquire) == others_; }, have_);
    }

    /// Only the leading thread calls this, after wait_for_others. All others see what it did
    /// before. If it calls them to `answer` or `gather`, they come back at once.
    void release(call what) noexcept {
        called_to_ = what;
        // Relaxed: the others count themselves in again only after they have seen the new round.
        arrived_.store(0, std::memory_order_relaxed);
        round_.store(round_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
    }

    /// Only the leading thread calls this, at any time. A thread that waits here, now or later,
    /// ends.
    void close() noexcept { round_.store(closed, std::memory_order_release); }

    /// Any other thread waits until the leading thread releases it. Returns what it is called to
    /// do.
    call arrive() {
        // Relaxed: the round does not change before this thread has arrived, unless to `closed`.
        const std::size_t before = round_.load(std::memory_order_relaxed);
        if (before == closed) return call::end;
        std::size_t now = before;
        arrived_.fetch_add(1, std::memory_order_release);
        spin_until([&] { return (now = round_.load(std::memory_order_acquire)) != before; }, have_);
        if (now == closed) return call::end;
        return called_to_;
    }

private:
    static constexpr std::size_t closed = std::numeric_limits<std::size_t>::max();

    const std::size_t others_;
    const processors have_;
    alignas(64) std::atomic<std::size_t> arrived_{0};
    alignas(64) std::atomic<std::size_t> round_{0};
    call called_to_ = call::answer;
};

/// The calling thread and `size - 1` more threads. Each has its own processor if there are enough;
/// otherwise they share the processors evenly.
/// Each thread calls `make_batch(number)` with its own number. The calling thread has the number 0.
/// The thread calls the result for every batch. A thread whose batch throws ends the process,
/// because the others would wait for it forever.
template <class MakeBatch>
class thread_group {
public:
    using batch = std::invoke_result_t<MakeBatch&, std::size_t>;

    thread_group(std::size_t size, MakeBatch make_batch)
        : make_batch_(std::move(make_batch)),
          have_(processors_.size() < size ? processors::shared : processors::own),
          line_(size - 1, have_),
          distance_(distance_watch::of_teams_of(size)),
          laps_(size) {
        try {
            for (std::size_t number = 1; number < size; ++number) {
                others_.emplace_back([this, number]() noexcept { follow(number); });
            }
        } catch (...) {
            end();
            throw;
        }
    }
    ~thread_group() { end(); }
    thread_group(const thread_group&) = delete;
    thread_group& operator=(const thread_group&) = delete;

    /// Measures each iteration of `state`: the time from the first thread's start to the last
    /// thread's end. A measurement begins when the distance between the threads is the usual one,
    /// and it is repeated if a thread was preempted. After a few attempts the shortest time counts.
    /// Threads that share processors are preempted all the time, so there every first attempt
    /// counts. One batch before, not measured, warms up.
    void measure(kernel_state& state) {
        measure(state, [this] { return seconds(); });
    }

    /// The same, but `seconds_of_batch()` returns after each batch how long it took. It is for
    /// batches in which only some threads have a fixed working time and the others work until those
    /// have finished.
    template <class Seconds>
    void measure(kernel_state& state, Seconds seconds_of_batch) {
        const kept_on_processor place(processor_of(0));
        batch mine = make_batch_(0);
        lap(mine);
        for ([[maybe_unused]] auto _ : state) {
            state.set_iteration_time(undisturbed_lap(mine, seconds_of_batch));
        }
    }

private:
    using clock = std::chrono::steady_clock;
    struct alignas(64) times {
        clock::time_point begin;
        clock::time_point end;
        bool preempted = false;
    };

    std::optional<int> processor_of(std::size_t number) const {
        if (processors_.empty()) return std::nullopt;
        return processors_[number % processors_.size()];
    }

    /// In seconds. A longer lap is usually preempted, and takes hardly longer for that reason.
    static constexpr double long_lap = 0.01;

    template <class Seconds>
    double undisturbed_lap(batch& mine, Seconds& seconds_of_batch) {
        const int attempts = have_ == processors::own ? 8 : 1;
        double shortest = std::numeric_limits<double>::infinity();
        for (int attempt = 0; attempt < attempts; ++attempt) {
            lap(mine);
            const double whole = seconds();
            const double taken = seconds_of_batch();
            distance_.measured(whole);
            if (whole > long_lap || std::none_of(laps_.begin(), laps_.end(),
                                                 [](const times& t) { return t.preempted; })) {
                return taken;
            }
            shortest = std::min(shortest, taken);
        }
        return shortest;
    }

    double seconds() const {
        clock::time_point first = laps_.front().begin;
        clock::time_point last = laps_.front().end;
        for (const times& t : laps_) {
            first = std::min(first, t.begin);
            last = std::max(last, t.end);
        }
        return std::chrono::duration<double>(last - first).count();
    }

    void lap(batch& mine) {
        line_.wait_for_others();
        if (have_ == processors::own && !others_.empty()) {
            distance_.wait_until_usual([this] { return distance(); },
                                       [this](auto time) { rest(time); });
        }
        const long before = gather();
        line_.release(start_line::call::start);
        timed(0, mine, before);
        line_.wait_for_others();
    }

    /// Returns the seconds until all others have come back.
    double call_others(start_line::call what) {
        const auto called = clock::now();
        line_.release(what);
        line_.wait_for_others();
        return std::chrono::duration<double>(clock::now() - called).count();
    }

    /// Returns the shortest of several calls, in which no thread was preempted.
    double distance() {
        constexpr int calls = 16;
        double shortest = std::numeric_limits<double>::infinity();
        for (int i = 0; i < calls; ++i) {
            shortest = std::min(shortest, call_others(start_line::call::answer));
        }
        return shortest;
    }

    void rest(std::chrono::nanoseconds time) {
        line_.release(start_line::call::rest);
        std::this_thread::sleep_for(time);
        awake_.release(static_cast<std::ptrdiff_t>(others_.size()));
        line_.wait_for_others();
    }

    /// Calls the others until they come back so soon that every thread must be running. With too
    /// few processors for that it calls them once. Returns how often this thread was preempted so
    /// far.
    long gather() {
        const int attempts = have_ == processors::own ? 16 : 1;
        constexpr double soon = 20e-6;
        long before = 0;
        for (int attempt = 0; attempt < attempts; ++attempt) {
            before = times_preempted();
            if (call_others(start_line::call::gather) < soon) break;
        }
        return before;
    }

    void follow(std::size_t number) noexcept {
        const kept_on_processor place(processor_of(number));
        batch mine = make_batch_(number);
        long before = 0;
        for (;;) {
            switch (line_.arrive()) {
                case start_line::call::answer:
                    break;
                case start_line::call::rest:
                    awake_.acquire();
                    break;
                case start_line::call::gather:
                    before = times_preempted();
                    break;
                case start_line::call::start:
                    timed(number, mine, before);
                    break;
                case start_line::call::end:
                    return;
            }
        }
    }

    void timed(std::size_t number, batch& mine, long preempted_before) noexcept {
        times& t = laps_[number];
        t.begin = clock::now();
        mine();
        t.end = clock::now();
        t.preempted = times_preempted() != preempted_before;
    }

    void end() noexcept {
        line_.close();
        for (std::thread& other : others_) other.join();
    }

    MakeBatch make_batch_;
    const std::vector<int> processors_ = usable_processors();
    const processors have_;
    start_line line_;
    std::counting_semaphore<> awake_{0};
    distance_watch& distance_;
    std::vector<times> laps_;
    std::vector<std::thread> others_;
};

}  // namespace lab
