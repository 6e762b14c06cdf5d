// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <chrono>

namespace lab {

/// How long measurements may still wait for a quiet moment: at most one second at a time, and in
/// all at most one second longer than was measured.
class patience {
public:
    /// Returns whether this time is left, and takes it away.
    bool takes(std::chrono::nanoseconds time) noexcept {
        if (left_ < time) return false;
        left_ -= time;
        return true;
    }

    void measured(std::chrono::nanoseconds time) noexcept {
        left_ = std::min(left_ + time, longest);
    }

private:
    static constexpr std::chrono::nanoseconds longest = std::chrono::seconds(1);
    std::chrono::nanoseconds left_ = longest;
};

}  // namespace lab
