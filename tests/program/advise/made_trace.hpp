// SPDX-License-Identifier: BSL-1.0
// Traces that are made in memory, as a recorder would have delivered them.
#pragma once

#include "advise/trace.hpp"
#include "suites/buffers/article.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace freehold {

/// Writes events as they happen, one tick of the clock after another.
class made_trace {
public:
    using buffer = std::uint32_t;

    buffer get(std::uint64_t size, std::uint32_t thread = 0, std::uint32_t process = 0) {
        trace_event event;
        event.size = size;
        if (free_.empty()) {
            event.block = blocks_++;
        } else {
            event.block = free_.back();
            free_.pop_back();
        }
        add(event, thread, process);
        return event.block;
    }
    void put(buffer block, std::uint32_t thread = 0, std::uint32_t process = 0) {
        trace_event event;
        event.what = trace_event::kind::free;
        event.block = block;
        add(event, thread, process);
        free_.push_back(block);
    }
    void wait(std::uint64_t nanoseconds) { time_ += nanoseconds; }

    [[nodiscard]] const std::vector<trace_event>& events() const { return events_; }

private:
    void add(trace_event& event, std::uint32_t thread, std::uint32_t process) {
        event.time = time_;
        event.thread = thread;
        event.process = process;
        events_.push_back(event);
        time_ += tick;
    }

    static constexpr std::uint64_t tick = 10;
    std::vector<trace_event> events_;
    std::vector<buffer> free_;
    buffer blocks_ = 0;
    std::uint64_t time_ = 0;
};

/// What the article's program asks for in so many steps.
inline std::vector<trace_event> article_trace(std::uint64_t steps) {
    struct recorder {
        made_trace trace;
        made_trace::buffer get(std::size_t size) { return trace.get(size); }
        void put(made_trace::buffer block) { trace.put(block); }
        static std::size_t capacity(made_trace::buffer) { return 0; }
    };
    recorder recorded;
    std::vector<trace_event> events;
    {
        lab::buffers::article<recorder> program(recorded);
        program.run_to(steps - 1);
        events = recorded.trace.events();
    }
    return events;
}

class made_reader : public trace_reader {
public:
    explicit made_reader(std::vector<trace_event> events, std::vector<trace_process> processes = {})
        : events_(std::move(events)), processes_(std::move(processes)) {}

    bool next(trace_event& event) override {
        if (next_ == events_.size()) return false;
        event = events_[next_++];
        losses_.events = next_;
        return true;
    }
    [[nodiscard]] double progress() const override {
        return events_.empty() ? 1
                               : static_cast<double>(next_) / static_cast<double>(events_.size());
    }
    [[nodiscard]] const trace_losses& losses() const override { return losses_; }
    [[nodiscard]] const std::vector<trace_process>& processes() const override {
        return processes_;
    }

    trace_losses& what_it_cannot_tell() { return losses_; }

private:
    std::vector<trace_event> events_;
    std::vector<trace_process> processes_;
    trace_losses losses_;
    std::size_t next_ = 0;
};

}  // namespace freehold
