// SPDX-License-Identifier: BSL-1.0
// The workloads: sequences of gets and puts with which policies are compared. lab/README.md
// describes them. They are the same on every run and every machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace lab::buffers {

/// A get into a free slot, or the put of the buffer in the slot.
struct step {
    static constexpr std::uint32_t put = 0;

    std::uint32_t size;  // the requested bytes, or `put`
    std::uint32_t slot;
    std::uint32_t thread;
};

struct workload {
    std::string key;
    std::vector<step> steps;
    std::size_t slots = 0;
    std::size_t threads = 1;
};

/// Records the gets and puts of each thread. It reuses the slot that became free last.
class recorder {
public:
    explicit recorder(std::string key, std::size_t threads = 1) {
        recorded_.key = std::move(key);
        recorded_.threads = threads;
    }

    std::uint32_t get(std::size_t size, std::uint32_t thread = 0) {
        if (free_.empty()) free_.push_back(static_cast<std::uint32_t>(recorded_.slots++));
        const std::uint32_t slot = free_.back();
        free_.pop_back();
        recorded_.steps.push_back({static_cast<std::uint32_t>(size), slot, thread});
        return slot;
    }
    void put(std::uint32_t slot, std::uint32_t thread = 0) {
        recorded_.steps.push_back({step::put, slot, thread});
        free_.push_back(slot);
    }

    [[nodiscard]] std::size_t steps() const noexcept { return recorded_.steps.size(); }
    [[nodiscard]] workload take() && { return std::move(recorded_); }

private:
    workload recorded_;
    std::vector<std::uint32_t> free_;
};

/// Returns the workloads, which are made only once.
const std::vector<workload>& all_workloads();

}  // namespace lab::buffers
