// SPDX-License-Identifier: BSL-1.0
// Interrupts a program many times a second, and notes where each of its threads is. The kernel
// does it (perf_event_open).
#pragma once

#include "support/descriptor.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace freehold {

/// In the order in which DWARF numbers them on x86-64; the last is the instruction's address.
using sampled_registers = std::array<std::uint64_t, 17>;

/// What happened in a process. Addresses are the process's own.
struct sampled_event {
    enum class kind {
        sample,   // a thread was at `address`
        mapping,  // `length` bytes of code of the file `path`, from its byte `offset`
        fork,     // `process` began as a copy of `other`
        exec      // the process began another program
    };
    kind what = kind::sample;
    std::uint64_t time = 0;
    std::uint32_t process = 0;
    std::uint32_t other = 0;  // of a sample: the thread
    std::uint64_t address = 0;
    std::uint64_t length = 0;
    std::uint64_t offset = 0;
    std::string path;
    sampled_registers registers{};
    std::vector<std::byte> stack;  // from the stack pointer on
};

/// Samples the children that the calling thread starts from now on, and all that these start.
class sampler {
public:
    /// Takes events from a thread of its own, in the order of their times as far as one buffer
    /// goes. Throws handles_error if the kernel refuses.
    using consumer = std::function<void(std::vector<sampled_event>)>;
    explicit sampler(consumer to);
    sampler(const sampler&) = delete;
    sampler& operator=(const sampler&) = delete;
    ~sampler();

    /// Hands over what is left. The counts below are complete then.
    void finish();

    [[nodiscard]] const std::string& event() const { return event_; }
    /// Whether a sample's address is that of the instruction behind the one that took the time.
    [[nodiscard]] bool is_late() const { return is_late_; }
    [[nodiscard]] std::uint64_t lost() const { return lost_; }

private:
    struct buffer {
        support::descriptor event;
        std::byte* memory = nullptr;
    };
    bool open_on_each_processor(bool clock, unsigned precision);
    void drain();

    consumer to_;
    std::vector<buffer> buffers_;
    std::string event_;
    bool is_late_ = true;
    std::uint64_t lost_ = 0;
    support::pipe_ends end_;
    std::thread reader_;
};

}  // namespace freehold
