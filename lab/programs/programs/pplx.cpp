// SPDX-License-Identifier: BSL-1.0
// Chains of asynchronous tasks, run by an event loop on one thread.
#include "driver.hpp"

#include <cstddef>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include <pplx/pplxtasks.h>

namespace {

/// Runs the scheduled tasks in order, on the thread that calls run().
class event_loop final : public pplx::scheduler_interface {
public:
    void schedule(pplx::TaskProc_t what, void* argument) override {
        waiting_.emplace_back(what, argument);
    }

    void run() {
        while (!waiting_.empty()) {
            const auto [what, argument] = waiting_.front();
            waiting_.pop_front();
            what(argument);
        }
    }

private:
    std::deque<std::pair<pplx::TaskProc_t, void*>> waiting_;
};

std::shared_ptr<event_loop> ambient_loop() {
    auto loop = std::make_shared<event_loop>();
    pplx::set_ambient_scheduler(loop);
    return loop;
}

constexpr std::size_t batches = 2'000;
constexpr std::size_t chains = 10;

pplx::task<std::uint64_t> chain(std::uint64_t seed, const pplx::task_options& options) {
    return pplx::create_task([seed] { return seed; }, options)
        .then([](std::uint64_t value) { return value * 3 + 1; }, options)
        .then(
            [options](std::uint64_t value) {
                return pplx::create_task([value] { return value ^ (value >> 7); }, options);
            },
            options)
        .then([](pplx::task<std::uint64_t> earlier) { return earlier.get() + 1; }, options)
        .then([](std::uint64_t value) { return value % 1'000'003; }, options);
}

}  // namespace

std::uint64_t driver::workload() {
    static const std::shared_ptr<event_loop> loop = ambient_loop();
    std::uint64_t sum = 0;
    for (std::size_t batch = 0; batch < batches; ++batch) {
        pplx::cancellation_token_source stop;
        const pplx::task_options options(stop.get_token());
        std::vector<pplx::task<std::uint64_t>> started;
        for (std::size_t i = 0; i < chains; ++i) {
            started.push_back(chain(batch * chains + i, options));
        }
        auto all = pplx::when_all(started.begin(), started.end(), options)
                       .then(
                           [](std::vector<std::uint64_t> values) {
                               std::uint64_t total = 0;
                               for (const std::uint64_t value : values) total += value;
                               return total;
                           },
                           options);
        if (batch % 10 == 9) stop.cancel();
        loop->run();
        require(all.is_done(), "a chain did not end");
        if (all.wait() == pplx::completed) sum += all.get();
    }
    return sum;
}
