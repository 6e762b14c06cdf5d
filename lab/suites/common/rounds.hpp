// SPDX-License-Identifier: BSL-1.0
// For batches in which only some threads have a fixed working time.
#pragma once

#include <atomic>
#include <cstddef>

namespace lab {

/// Counts, for each round, the timed threads that have finished their work. The other threads run
/// until all of them have.
class rounds {
public:
    explicit rounds(std::size_t threads) noexcept : threads_(threads) {}

    void done() noexcept { done_.fetch_add(1, std::memory_order_release); }
    [[nodiscard]] bool over(std::size_t round) const noexcept {
        return done_.load(std::memory_order_acquire) >= round * threads_;
    }

private:
    const std::size_t threads_;
    alignas(64) std::atomic<std::size_t> done_{0};
};

}  // namespace lab
