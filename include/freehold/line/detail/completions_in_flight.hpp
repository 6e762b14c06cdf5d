// SPDX-License-Identifier: BSL-1.0
// Counts the fetches that are publishing a complete line but still own it. In this moment a reader
// may release the line, and a thread that looks for memory may find it in use although nobody reads
// it. Such a thread looks again if any completion was in flight.
#pragma once

#include <freehold/config.hpp>

#include <atomic>
#include <cstdint>

namespace freehold::inline FREEHOLD_ABI::detail {

class completions_in_flight {
public:
    void begin() noexcept {
        // relaxed: a thread that sees the complete line sees this, because publish is a release.
        state_.fetch_add(one_begun + one_under_way, std::memory_order_relaxed);
    }
    void end() noexcept {
        // release: a thread that sees this sees that the fetch has released the line.
        state_.fetch_sub(one_under_way, std::memory_order_release);
    }
    // The value to pass to any_since later.
    [[nodiscard]] std::uint64_t now() const noexcept {
        return state_.load(std::memory_order_acquire);  // acquire: see end
    }
    // Whether a completion was in flight at `then`, or has begun since.
    [[nodiscard]] bool any_since(std::uint64_t then) const noexcept {
        return then % one_begun != 0 || now() != then;
    }

private:
    static constexpr std::uint64_t one_under_way = 1;
    static constexpr std::uint64_t one_begun = std::uint64_t{1} << 32;

    // Lower half: completions in flight. Upper half: completions begun, which may wrap around.
    std::atomic<std::uint64_t> state_{0};
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
