// SPDX-License-Identifier: BSL-1.0
// What a line_cache counts outside the fast path.
#pragma once

#include <freehold/config.hpp>
#include <freehold/line/detail/event_counter.hpp>
#include <freehold/line/line_cache_statistics.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <chrono>
#include <cstddef>
#include <cstdint>

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

class wait_recorder {
public:
    void add(std::chrono::nanoseconds waited) noexcept {
        const auto micros = static_cast<std::uint64_t>(
            std::max<std::int64_t>(0, waited / std::chrono::microseconds(1)));
        const auto place =
            std::min(static_cast<std::size_t>(std::bit_width(micros)), counts_.size() - 1);
        // relaxed: a count orders nothing.
        counts_[place].fetch_add(1, std::memory_order_relaxed);
    }
    [[nodiscard]] wait_histogram read() const noexcept {
        wait_histogram read;
        for (std::size_t i = 0; i != counts_.size(); ++i) {
            // relaxed: as above.
            read.counts[i] = counts_[i].load(std::memory_order_relaxed);
        }
        return read;
    }

private:
    std::array<std::atomic<std::uint64_t>, wait_histogram::classes> counts_{};
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
