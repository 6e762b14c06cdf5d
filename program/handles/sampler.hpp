// SPDX-License-Identifier: BSL-1.0
// Samples a program: the kernel (perf_event_open) interrupts it many times a second, and records
// the instruction that each of its threads executes.
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

/// The registers in the order of DWARF for x86-64. The last is the instruction's address.
using sampled_registers = std::array<std::uint64_t, 17>;

/// An event in a process. Addresses are those of the process.
struct sampled_event {
    enum class kind {
        sample,   // a thread executed the instruction at `address`
        mapping,  // `length` bytes of code of the file `path` were mapped, from byte `offset`
        fork,     // `process` started as a copy of `other`
        exec      // the process started another program
    };
    kind what = kind::sample;
    std::uint64_t time = 0;
    std::uint32_t process = 0;
    std::uint32_t other = 0;  // for a sample: the thread
    std::uint64_t address = 0;
    std::uint64_t length = 0;
    std::uint64_t offset = 0;
    std::string path;
    sampled_registers registers{};
    std::vector<std::byte> stack;  // starts at the stack pointer
};

/// Samples all children that the calling thread starts during this object's life, and their
/// descendants.
class sampler {
public:
    /// The sampler's own thread calls it with events. The events of one buffer are in the order of
    /// their times. The constructor throws handles_error if the kernel refuses to sample.
    using consumer = std::function<void(std::vector<sampled_event>)>;
    explicit sampler(consumer to);
    sampler(const sampler&) = delete;
    sampler& operator=(const sampler&) = delete;
    ~sampler();

    /// Passes the remaining events to the consumer. Then the counts below are complete.
    void finish();

    [[nodiscard]] const std::string& event() const { return event_; }
    /// Returns whether a sample's address is that of the instruction after the one that took the
    /// time.
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
