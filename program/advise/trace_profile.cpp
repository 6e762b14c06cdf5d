// SPDX-License-Identifier: BSL-1.0
#include "advise/trace_profile.hpp"

#include <algorithm>
#include <bit>

namespace freehold {

double process_profile::allocator_time(const allocation_costs& costs,
                                       std::uint64_t min_size) const {
    double time = 0;
    for (std::size_t index = size_class::of(static_cast<std::size_t>(min_size));
         index != sizes.size(); ++index) {
        time += static_cast<double>(sizes[index].requests) * costs.of(size_class::smallest(index));
    }
    return time;
}

std::uint64_t process_profile::quantile(double share, std::uint64_t min_size) const {
    const std::size_t first = size_class::of(static_cast<std::size_t>(min_size));
    std::uint64_t all = 0;
    for (std::size_t index = first; index != sizes.size(); ++index) all += sizes[index].requests;
    const double wanted = share * static_cast<double>(all);
    double below = 0;
    for (std::size_t index = first; index + 1 != sizes.size(); ++index) {
        below += static_cast<double>(sizes[index].requests);
        if (below >= wanted) return size_class::smallest(index + 1);
    }
    return size_class::smallest(sizes.size() - 1);
}

void trace_profiler::add(const trace_event& event) {
    if (event.process >= processes_.size()) processes_.resize(event.process + std::size_t{1});
    if (event.block >= live_.size()) live_.resize(event.block + std::size_t{1});
    if (event.thread >= threads_.size()) threads_.resize(event.thread + std::size_t{1});

    process_profile& process = processes_[event.process];
    live& block = live_[event.block];
    if (!process.seen) process.first_time = event.time;
    process.seen = true;
    process.last_time = std::max(process.last_time, event.time);
    if (!threads_[event.thread]) {
        threads_[event.thread] = true;
        ++process.threads;
    }

    if (event.what == trace_event::kind::allocate) {
        block = {event.time, event.size, event.thread};
        auto& same = process.sizes[size_class::of(static_cast<std::size_t>(event.size))];
        ++same.requests;
        same.bytes += event.size;
        ++process.requests;
        process.bytes += event.size;
        if (event.size >= min_size_) {
            ++process.considered;
            process.considered_bytes += event.size;
        }
        process.live_bytes += event.size;
        process.peak_live_bytes = std::max(process.peak_live_bytes, process.live_bytes);
        return;
    }
    auto& same = process.sizes[size_class::of(static_cast<std::size_t>(block.size))];
    const std::uint64_t lived = event.time > block.time ? event.time - block.time : 0;
    const bool remote = event.thread != block.thread;
    ++process.frees;
    ++same.frees;
    same.lifetimes += static_cast<double>(lived);
    process.remote_frees += remote ? 1 : 0;
    same.remote_frees += remote ? 1 : 0;
    ++process.lifetimes[static_cast<std::size_t>(std::bit_width(lived))];
    process.live_bytes -= block.size;
}

}  // namespace freehold
