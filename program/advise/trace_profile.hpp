// SPDX-License-Identifier: BSL-1.0
// What a program asks of its allocator, collected while its trace is read: the sizes, how long
// buffers live, and how many are freed on another thread. Each process has its own profile, because
// a cache serves one process.
#pragma once

#include <freehold/buffer/allocation_costs.hpp>
#include <freehold/buffer/size_class.hpp>

#include "advise/trace.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace freehold {

struct process_profile {
    /// The requests for the sizes of one class.
    struct of_sizes {
        std::uint64_t requests = 0;
        std::uint64_t bytes = 0;
        std::uint64_t frees = 0;
        std::uint64_t remote_frees = 0;
        double lifetimes = 0;  // the sum for the freed buffers
    };

    std::array<of_sizes, size_class::count> sizes{};
    /// Frees by the logarithm to base 2 of the lifetime. Index 0 has the lifetimes below 1.
    std::array<std::uint64_t, 65> lifetimes{};
    std::uint64_t requests = 0;
    std::uint64_t bytes = 0;
    std::uint64_t frees = 0;
    std::uint64_t remote_frees = 0;
    std::uint64_t threads = 0;
    std::uint64_t live_bytes = 0;
    std::uint64_t peak_live_bytes = 0;
    std::uint64_t first_time = 0;
    std::uint64_t last_time = 0;
    bool seen = false;
    /// Requests that are at least as large as the smallest size for the cache.
    std::uint64_t considered = 0;
    std::uint64_t considered_bytes = 0;

    /// The time in nanoseconds that the allocator took for the requests that a cache would serve.
    [[nodiscard]] double allocator_time(const allocation_costs& costs,
                                        std::uint64_t min_size) const;
    /// The smallest class size for which at least this share of the requests is not larger.
    [[nodiscard]] std::uint64_t quantile(double share, std::uint64_t min_size) const;
};

/// Holds 24 bytes for each live block.
class trace_profiler {
public:
    explicit trace_profiler(std::uint64_t min_size) : min_size_(min_size) {}

    void add(const trace_event& event);

    /// Indexed by the process's number in the trace.
    [[nodiscard]] const std::vector<process_profile>& processes() const noexcept {
        return processes_;
    }

private:
    struct live {
        std::uint64_t time;
        std::uint64_t size;
        std::uint32_t thread;
    };

    std::uint64_t min_size_;
    std::vector<live> live_;
    std::vector<bool> threads_;
    std::vector<process_profile> processes_;
};

}  // namespace freehold
