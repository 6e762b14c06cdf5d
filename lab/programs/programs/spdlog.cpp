// SPDX-License-Identifier: BSL-1.0
// Two threads log with asynchronous loggers. The pool's one thread formats and writes to /dev/null.
#include "driver.hpp"

#include <atomic>
#include <memory>
#include <thread>

#include <spdlog/async.h>
#include <spdlog/sinks/base_sink.h>
#include <spdlog/sinks/basic_file_sink.h>

namespace {

/// Counts the messages that leave the queue.
class counting_sink final : public spdlog::sinks::base_sink<std::mutex> {
public:
    std::uint64_t bytes() const { return bytes_; }

private:
    void sink_it_(const spdlog::details::log_msg& message) override {
        bytes_ += message.payload.size();
    }
    void flush_() override {}

    std::atomic<std::uint64_t> bytes_ = 0;
};

void log(const std::shared_ptr<spdlog::async_logger>& logger) {
    for (int i = 0; i < 40'000; ++i) logger->info("request {} took {} us", i, i % 977);
}

}  // namespace

std::uint64_t driver::workload() {
    const auto counting = std::make_shared<counting_sink>();
    {
        const auto file = std::make_shared<spdlog::sinks::basic_file_sink_mt>("/dev/null");
        const auto pool = std::make_shared<spdlog::details::thread_pool>(8192, 1);
        const spdlog::sinks_init_list sinks = {counting, file};
        const auto one = std::make_shared<spdlog::async_logger>("one", sinks, pool);
        const auto other = std::make_shared<spdlog::async_logger>("other", sinks, pool);
        std::thread second([&] { log(other); });
        log(one);
        second.join();
    }
    return counting->bytes();
}
