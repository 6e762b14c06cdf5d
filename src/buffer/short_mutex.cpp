// SPDX-License-Identifier: BSL-1.0
// What a thread does that finds a short_mutex held.
#include "buffer/short_mutex.hpp"

#include <freehold/config.hpp>
#include <freehold/detail/platform/processor.hpp>

#include <atomic>

namespace freehold::inline FREEHOLD_ABI::detail {

void short_mutex::wait_and_lock() noexcept {
    // About as long as a section takes.
    constexpr int spins = 32;
    for (int i = 0; i < spins; ++i) {
        // relaxed: try_lock decides. A load leaves the cache line with the holder.
        if (state_.load(std::memory_order_relaxed) == free && try_lock()) return;
        pause_processor();
    }
    // acquire: as in try_lock. The state stays `awaited`, because other threads may sleep, too.
    while (state_.exchange(awaited, std::memory_order_acquire) != free) {
        state_.wait(awaited, std::memory_order_relaxed);  // relaxed: the exchange decides
    }
}

void short_mutex::wake() noexcept {
    state_.notify_one();
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
