// SPDX-License-Identifier: BSL-1.0
#include "advise/traces/live_blocks.hpp"

namespace freehold {

trace_event live_blocks::end_of(const block& what, const recorded_at& at) {
    trace_event event;
    event.time = at.time;
    event.size = what.size;
    event.alignment = what.alignment;
    event.block = what.number;
    event.thread = at.thread;
    event.process = what.process;
    event.what = trace_event::kind::free;
    return event;
}

void live_blocks::allocated(const recorded_at& at, std::uint64_t address, std::uint64_t size,
                            std::uint64_t alignment, std::vector<trace_event>& events,
                            trace_losses& losses) {
    if (address == 0) {
        ++losses.failed;
        return;
    }
    const auto [found, added] =
        live_.try_emplace(place{address, at.space}, block{size, alignment, 0, at.process});
    block& here = found->second;
    if (!added) {
        ++losses.missed_frees;
        events.push_back(end_of(here, at));
        here = block{size, alignment, here.number, at.process};
    } else if (free_numbers_.empty()) {
        here.number = numbers_++;
    } else {
        here.number = free_numbers_.back();
        free_numbers_.pop_back();
    }
    trace_event event = end_of(here, at);
    event.what = trace_event::kind::allocate;
    events.push_back(event);
}

void live_blocks::freed(const recorded_at& at, std::uint64_t address,
                        std::vector<trace_event>& events, trace_losses& losses) {
    if (address == 0) return;
    const auto found = live_.find(place{address, at.space});
    if (found == live_.end()) {
        ++losses.unknown_frees;
        return;
    }
    events.push_back(end_of(found->second, at));
    free_numbers_.push_back(found->second.number);
    live_.erase(found);
}

}  // namespace freehold
