// SPDX-License-Identifier: BSL-1.0
#include "suites/common/thread_group.hpp"

#include "suites/common/spin_until.hpp"
#include "suites/common/thread_distance.hpp"
#include "suites/common/thread_processors.hpp"
#include "suites/common/timing.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <limits>
#include <optional>
#include <semaphore>
#include <thread>
#include <vector>

namespace lab {
namespace {

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

/// The calling thread and `size - 1` more threads, which live as long as the group.
class thread_group {
public:
    thread_group(std::size_t size, const with_batch& with)
        : with_(with),
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

    void measure(kernel_state& state, const seconds_of_batch& seconds) {
        const kept_on_processor place(processor_of(0));
        with_(0, [&](const batch& mine) {
            lap(mine);
            for ([[maybe_unused]] auto _ : state) {
                state.set_iteration_time(undisturbed_lap(mine, seconds));
            }
        });
    }

private:
    using batch = std::function<void()>;
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

    double undisturbed_lap(const batch& mine, const seconds_of_batch& seconds_of_mine) {
        const int attempts = have_ == processors::own ? 8 : 1;
        double shortest = std::numeric_limits<double>::infinity();
        for (int attempt = 0; attempt < attempts; ++attempt) {
            lap(mine);
            const double whole = seconds();
            const double taken = seconds_of_mine ? seconds_of_mine() : whole;
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

    void lap(const batch& mine) {
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
        with_(number, [&](const batch& mine) { answer_calls(number, mine); });
    }

    void answer_calls(std::size_t number, const batch& mine) {
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

    void timed(std::size_t number, const batch& mine, long preempted_before) noexcept {
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

    const with_batch& with_;
    const std::vector<int> processors_ = usable_processors();
    const processors have_;
    start_line line_;
    std::counting_semaphore<> awake_{0};
    distance_watch& distance_;
    std::vector<times> laps_;
    std::vector<std::thread> others_;
};

}  // namespace

void measure_batches(kernel_state& state, std::size_t threads, const with_batch& with,
                     const seconds_of_batch& seconds) {
    state.runs_elsewhere();
    thread_group(threads, with).measure(state, seconds);
}

}  // namespace lab
