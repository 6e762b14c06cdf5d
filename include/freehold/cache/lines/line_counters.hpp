// SPDX-License-Identifier: BSL-1.0
// What a line_cache counts off its fast path.
#pragma once

#include <freehold/cache/event_counter.hpp>
#include <freehold/cache/lines/line_cache_options.hpp>

namespace freehold::inline FREEHOLD_ABI::detail {

struct line_counters {
    event_counter misses;
    event_counter prefetched;
    event_counter refetched;
    event_counter requests;
    event_counter failures;
    event_counter cancelled;
    event_counter refusals;
    event_counter evictions;
    event_counter bytes_fetched;
    event_counter bytes_wasted;
    event_counter bytes_zeroed;
    event_counter faults;

    void read_into(line_cache_statistics& all) const noexcept {
        all.misses = misses.read();
        all.prefetched = prefetched.read();
        all.refetched = refetched.read();
        all.requests = requests.read();
        all.failures = failures.read();
        all.cancelled = cancelled.read();
        all.refusals = refusals.read();
        all.evictions = evictions.read();
        all.bytes_fetched = bytes_fetched.read();
        all.bytes_wasted = bytes_wasted.read();
        all.bytes_zeroed = bytes_zeroed.read();
        all.faults = faults.read();
    }
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
