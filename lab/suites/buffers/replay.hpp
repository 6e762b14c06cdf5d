// SPDX-License-Identifier: BSL-1.0
// Plays a workload through the library's cache with a policy, with one session for each of its
// threads, and counts the results.
#pragma once

#include <freehold/buffer/buffer_cache.hpp>

#include "suites/buffers/counting_upstream.hpp"
#include "suites/buffers/workload.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace lab::buffers {

/// The time in a workload: a millisecond for each step.
class step_clock {
public:
    using duration = std::chrono::nanoseconds;
    using rep = duration::rep;
    using period = duration::period;
    using time_point = std::chrono::time_point<step_clock>;
    static constexpr bool is_steady = true;

    [[nodiscard]] static time_point now() noexcept {
        return time_point(std::chrono::milliseconds(steps_));
    }
    static void set(std::uint64_t steps) noexcept { steps_ = steps; }

private:
    static inline std::uint64_t steps_ = 0;
};

struct replayed {
    std::uint64_t requests = 0;
    std::uint64_t allocator_calls = 0;
    /// The allocations, by the class of their capacity.
    counting_upstream::counts allocations{};
    /// Sums over all steps.
    double asked = 0;
    double handed_out = 0;
    double idle = 0;
    std::size_t steps = 0;

    /// Returns the mean bytes that are idle or handed out beyond the requested ones.
    [[nodiscard]] double unused() const noexcept {
        return (idle + handed_out - asked) / static_cast<double>(steps);
    }
    [[nodiscard]] std::uint64_t hits() const noexcept {
        std::uint64_t found = requests;
        for (const std::uint32_t each : allocations) found -= each;
        return found;
    }
};

/// Keeps at most `max_idle` idle bytes. No bytes of the policy's buffers are touched.
template <class Policy>
replayed replay(const workload& work, std::size_t max_idle, const typename Policy::options& how) {
    using cache = freehold::buffer_cache<Policy, step_clock>;
    step_clock::set(0);
    counting_upstream upstream;
    replayed result;
    {
        freehold::buffer_cache_options options;
        options.max_idle = max_idle;
        options.max_idle_per_thread = max_idle;
        options.upstream = &upstream;
        options.name = work.key;
        cache played(options, how);
        std::vector<typename cache::session> threads;
        for (std::size_t i = 0; i < work.threads; ++i) threads.push_back(played.open_session());
        std::vector<freehold::buffer> slots(work.slots);

        std::size_t asked = 0;
        std::size_t handed_out = 0;
        for (const step& each : work.steps) {
            step_clock::set(++result.steps);
            freehold::buffer& slot = slots[each.slot];
            if (each.size != step::put) {
                slot = threads[each.thread].get(each.size);
                ++result.requests;
                asked += slot.size();
                handed_out += slot.capacity();
            } else {
                asked -= slot.size();
                handed_out -= slot.capacity();
                threads[each.thread].put(std::move(slot));
            }
            result.asked += static_cast<double>(asked);
            result.handed_out += static_cast<double>(handed_out);
            result.idle += static_cast<double>(upstream.bytes_out() - handed_out);
        }
        result.allocator_calls = upstream.calls();
        result.allocations = upstream.allocations();
    }
    return result;
}

}  // namespace lab::buffers
