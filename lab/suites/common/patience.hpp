// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace lab {

/// How long measurements may still wait for a quiet moment: at most one second at a time, and in
/// all at most one second longer than was measured.
class patience {
public:
    /// Returns whether `time` is left, and takes it away.
    bool takes(std::chrono::nanoseconds time) noexcept {
        if (left_ < time) return false;
        left_ -= time;
        return true;
    }

    void measured(double seconds) noexcept {
        const auto lap = std::chrono::nanoseconds(static_cast<std::int64_t>(seconds * 1e9));
        left_ = std::min(left_ + lap, longest);
    }

private:
    static constexpr std::chrono::nanoseconds longest = std::chrono::seconds(1);
    std::chrono::nanoseconds left_ = longest;
};

}  // namespace lab
