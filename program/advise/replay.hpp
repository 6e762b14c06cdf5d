// SPDX-License-Identifier: BSL-1.0
// Plays a recorded program's requests to the library's own buffer_cache over simulated memory. Each
// thread of the program has a session, and the trace's time is the cache's clock. So the effect of
// a policy's settings on that program is counted, not modelled.
//
// Holds 16 bytes and a simulated buffer for each live block, and a thread cache for each thread.
// Takes about 50 ns for each event.
#pragma once

#include <freehold/buffer/buffer_cache.hpp>

#include "advise/scoped_events.hpp"
#include "advise/simulated_memory.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace freehold {

/// The figures of one part of the trace.
struct replay_figures {
    std::uint64_t requests = 0;
    std::uint64_t hits = 0;
    std::uint64_t allocator_calls = 0;  // to get a buffer, or to give one back
    double allocator_time = 0;          // ns, for the misses
    double time_without = 0;            // ns, for all requests if there were no cache
    std::uint64_t peak_idle = 0;        // bytes
    double duration = 0;
    double asked = 0;  // bytes in use x time
    double handed_out = 0;
    double idle = 0;

    [[nodiscard]] double hit_rate() const { return share(static_cast<double>(hits), requests); }
    /// The share of the handed-out bytes that were asked for.
    [[nodiscard]] double used() const { return handed_out > 0 ? asked / handed_out : 1; }
    [[nodiscard]] double mean_idle() const { return duration > 0 ? idle / duration : 0; }
    [[nodiscard]] double calls_per_thousand() const {
        return 1000 * share(static_cast<double>(allocator_calls), requests);
    }
    /// The share of the allocator's time that the cache saves.
    [[nodiscard]] double time_saved() const {
        return time_without > 0 ? 1 - allocator_time / time_without : 0;
    }

private:
    [[nodiscard]] static double share(double part, std::uint64_t all) {
        return all == 0 ? 0 : part / static_cast<double>(all);
    }
};

struct replay_result {
    std::array<replay_figures, 2> halves;  // of the requests in the scope
    /// The requests of the first half that the cache served, by size class.
    std::array<std::uint64_t, size_class::count> hits_by_size{};
};

/// The time of the trace that the calling thread replays.
class replay_clock {
public:
    using duration = std::chrono::nanoseconds;
    using rep = duration::rep;
    using period = duration::period;
    using time_point = std::chrono::time_point<replay_clock>;
    static constexpr bool is_steady = true;

    [[nodiscard]] static time_point now() noexcept { return time_point(duration(now_)); }
    static void set(std::uint64_t now) noexcept { now_ = static_cast<rep>(now); }

private:
    static inline thread_local rep now_ = 0;
};

namespace detail {

/// Integrates quantities over time: each state counts for as long as it lasts.
class lasting_state {
public:
    explicit lasting_state(replay_figures& first) : figures_(&first) {}

    void continue_in(replay_figures& next) { figures_ = &next; }
    void pass_to(std::uint64_t time, std::uint64_t capacities) {
        if (!began_) last_ = time;
        began_ = true;
        const auto lasted = static_cast<double>(time - last_);
        last_ = time;
        const std::uint64_t idle = capacities - handed_out;
        figures_->duration += lasted;
        figures_->asked += lasted * static_cast<double>(asked);
        figures_->handed_out += lasted * static_cast<double>(handed_out);
        figures_->idle += lasted * static_cast<double>(idle);
        figures_->peak_idle = std::max(figures_->peak_idle, idle);
    }

    std::uint64_t asked = 0;
    std::uint64_t handed_out = 0;

private:
    replay_figures* figures_;
    std::uint64_t last_ = 0;
    bool began_ = false;
};

}  // namespace detail

/// Throws std::bad_alloc, and file_error where the spool throws it.
template <class Policy>
replay_result replay(const trace_spool& spool, const replay_scope& scope,
                     const allocation_costs& costs, buffer_cache_options options,
                     const typename Policy::options& of_policy) {
    using cache_type = buffer_cache<Policy, replay_clock>;
    simulated_memory memory(costs);
    options.upstream = &memory;
    replay_clock::set(0);
    cache_type cache(std::move(options), of_policy);
    std::vector<std::optional<typename cache_type::session>> sessions;
    std::vector<buffer> blocks;

    replay_result result;
    replay_figures* figures = &result.halves[0];
    detail::lasting_state state(*figures);
    std::uint64_t requests = 0;
    scoped_events events(spool, scope);
    for (trace_event event; events.next(event);) {
        state.pass_to(event.time, memory.capacities());
        replay_clock::set(event.time);
        if (event.thread >= sessions.size()) sessions.resize(event.thread + std::size_t{1});
        auto& session = sessions[event.thread];
        if (!session) session.emplace(cache.open_session());
        if (event.block >= blocks.size()) blocks.resize(event.block + std::size_t{1});
        buffer& block = blocks[event.block];

        const std::uint64_t allocations = memory.allocations();
        const std::uint64_t deallocations = memory.deallocations();
        if (event.what == trace_event::kind::allocate) {
            if (requests++ == scope.first_half) {
                figures = &result.halves[1];
                state.continue_in(*figures);
            }
            const auto alignment =
                std::max<std::size_t>(event.alignment, cache_type::default_alignment);
            const double cost = memory.cost();
            block = session->get(event.size, alignment);
            const bool hit = memory.allocations() == allocations;
            ++figures->requests;
            figures->allocator_time += memory.cost() - cost;
            figures->time_without += costs.of(event.size);
            if (hit) {
                ++figures->hits;
                if (figures == result.halves.data())
                    ++result.hits_by_size[size_class::of(event.size)];
            }
            state.asked += event.size;
            state.handed_out += block.capacity();
        } else {
            state.asked -= event.size;
            state.handed_out -= block.capacity();
            session->put(std::move(block));
        }
        figures->allocator_calls += memory.allocations() - allocations;
        figures->allocator_calls += memory.deallocations() - deallocations;
    }
    return result;
}

}  // namespace freehold
