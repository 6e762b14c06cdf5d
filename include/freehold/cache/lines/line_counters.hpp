// SPDX-License-Identifier: BSL-1.0
// What a line_cache counts off its fast path, of which nothing is ordered by what they say.
#pragma once

#include <freehold/cache/lines/line_cache_options.hpp>

#include <atomic>
#include <cstdint>

namespace freehold::detail {

class line_counter {
public:
    void add(std::uint64_t amount) noexcept {
        value_.fetch_add(amount, std::memory_order_relaxed);  // relaxed: see above
    }
    [[nodiscard]] std::uint64_t read() const noexcept {
        return value_.load(std::memory_order_relaxed);  // relaxed: see above
    }

private:
    std::atomic<std::uint64_t> value_{0};
};

struct line_counters {
    line_counter misses;
    line_counter prefetched;
    line_counter refetched;
    line_counter requests;
    line_counter failures;
    line_counter cancelled;
    line_counter refusals;
    line_counter evictions;
    line_counter bytes_fetched;
    line_counter bytes_wasted;
    line_counter bytes_zeroed;
    line_counter faults;

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

}  // namespace freehold::detail
