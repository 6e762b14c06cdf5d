// SPDX-License-Identifier: BSL-1.0
// What a line_cache counts outside the fast path.
#pragma once

#include <freehold/config.hpp>
#include <freehold/line/line_cache_statistics.hpp>

#include "line/event_counter.hpp"

#include <array>
#include <atomic>
#include <chrono>
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

    void read_into(line_cache_statistics& all) const noexcept;
};

class wait_recorder {
public:
    void add(std::chrono::nanoseconds waited) noexcept;
    [[nodiscard]] wait_histogram read() const noexcept;

private:
    std::array<std::atomic<std::uint64_t>, wait_histogram::classes> counts_{};
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
