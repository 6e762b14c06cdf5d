// SPDX-License-Identifier: BSL-1.0
// Whether fetches show the last of a line, and let go of it. Who fails to find memory meanwhile
// looks again, for the line may be one that nobody else holds: seen when it was complete already,
// and not yet let go of.
#pragma once

#include <freehold/config.hpp>

#include <atomic>
#include <cstdint>

namespace freehold::inline FREEHOLD_ABI::detail {

class line_handovers {
public:
    void begin() noexcept {
        // relaxed: who sees the line complete sees this, which comes before.
        state_.fetch_add(one_begun + one_under_way, std::memory_order_relaxed);
    }
    void end() noexcept {
        // release: who sees this sees that the line was let go.
        state_.fetch_sub(one_under_way, std::memory_order_release);
    }
    // What is_one_since is to be told later.
    [[nodiscard]] std::uint64_t now() const noexcept {
        return state_.load(std::memory_order_acquire);  // acquire: see end
    }
    // Whether one was under way then, or has begun since.
    [[nodiscard]] bool is_one_since(std::uint64_t then) const noexcept {
        return then % one_begun != 0 || now() != then;
    }

private:
    static constexpr std::uint64_t one_under_way = 1;
    static constexpr std::uint64_t one_begun = std::uint64_t{1} << 32;

    // The lower half: how many are under way. The upper: how many have begun, which may wrap.
    std::atomic<std::uint64_t> state_{0};
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
