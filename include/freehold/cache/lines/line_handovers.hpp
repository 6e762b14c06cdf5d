// SPDX-License-Identifier: BSL-1.0
// Whether a fetch is just showing the last of a line, and letting go of it. Who fails to find
// memory meanwhile looks again, for the line may be one that nobody else holds.
#pragma once

#include <atomic>

namespace freehold::detail {

class line_handovers {
public:
    void begin() noexcept {
        // relaxed: who sees the line complete sees this, which comes before.
        under_way_.fetch_add(1, std::memory_order_relaxed);
    }
    void end() noexcept {
        // release: who sees this sees that the line was let go.
        under_way_.fetch_sub(1, std::memory_order_release);
    }
    [[nodiscard]] bool is_one_under_way() const noexcept {
        return under_way_.load(std::memory_order_acquire) != 0;  // acquire: see end
    }

private:
    std::atomic<int> under_way_{0};
};

}  // namespace freehold::detail
