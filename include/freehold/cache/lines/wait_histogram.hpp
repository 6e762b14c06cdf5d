// SPDX-License-Identifier: BSL-1.0
// How long readers waited: one count for each power of two of microseconds.
#pragma once

#include <freehold/config.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <numeric>

namespace freehold::inline FREEHOLD_ABI {

struct wait_histogram {
    static constexpr std::size_t classes = 32;
    // counts[i] waits took less than 2^i microseconds and no less than half of that; the last
    // class has all longer ones.
    std::array<std::uint64_t, classes> counts{};

    [[nodiscard]] std::uint64_t total() const noexcept {
        return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
    }
    // A time that this share (0 to 1) of the waits did not exceed; zero if there were none.
    [[nodiscard]] std::chrono::microseconds quantile(double share) const noexcept {
        const auto all = static_cast<double>(total());
        std::uint64_t seen = 0;
        for (std::size_t i = 0; i != classes; ++i) {
            seen += counts[i];
            if (seen != 0 && static_cast<double>(seen) >= share * all) {
                return std::chrono::microseconds(std::int64_t{1} << i);
            }
        }
        return {};
    }
};

namespace detail {

class wait_recorder {
public:
    void add(std::chrono::nanoseconds waited) noexcept {
        const auto micros = static_cast<std::uint64_t>(
            std::max<std::int64_t>(0, waited / std::chrono::microseconds(1)));
        const auto place = std::min<std::size_t>(std::bit_width(micros), counts_.size() - 1);
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

}  // namespace detail
}  // namespace freehold::inline FREEHOLD_ABI
