// SPDX-License-Identifier: BSL-1.0
// The state that the thread caches of one buffer_cache share.
#pragma once

#include <freehold/buffer/buffer_block.hpp>
#include <freehold/buffer/buffer_cache_options.hpp>
#include <freehold/buffer/detail/buffer_central_cache.hpp>
#include <freehold/buffer/detail/buffer_memory.hpp>
#include <freehold/buffer/detail/quota.hpp>
#include <freehold/config.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace freehold::inline FREEHOLD_ABI::detail {

template <buffer_policy Policy>
struct buffer_cache_state {
    buffer_cache_state(buffer_cache_options settings,
                       const typename Policy::options& policy_settings)
        : options(std::move(settings)),
          memory(options.upstream),
          quota(options.max_idle),
          step(std::clamp<std::size_t>(options.max_idle / 64, 1, std::size_t{64} << 10)),
          central(policy_settings, quota, step) {}

    // Counts the thread caches in use. Relaxed: the number guards no data.
    void add_thread_cache() noexcept {
        active_thread_caches_.fetch_add(1, std::memory_order_relaxed);
    }
    void remove_thread_cache() noexcept {
        active_thread_caches_.fetch_sub(1, std::memory_order_relaxed);
    }
    // relaxed: a thread that learns late of another keeps a few more buffers to itself.
    [[nodiscard]] bool has_several_thread_caches() const noexcept {
        return active_thread_caches_.load(std::memory_order_relaxed) > 1;
    }
    // The largest request that a thread cache serves. The central cache serves larger ones.
    [[nodiscard]] std::size_t largest_in_thread_cache() const noexcept {
        const std::size_t largest = std::min(options.cutoff, buffer_memory::largest);
        if (!has_several_thread_caches()) return largest;
        const std::size_t by_default = std::min(options.max_idle / 512, std::size_t{128} << 10);
        const std::size_t shared_from = options.shared_from.value_or(by_default);
        return std::min(largest, std::max<std::size_t>(shared_from, 1) - 1);
    }

    const buffer_cache_options options;
    const buffer_memory memory;
    byte_quota quota;
    // The bytes to reserve from the quota at a time, if they are available.
    const std::size_t step;
    buffer_central_cache<Policy> central;

private:
    std::atomic<std::uint32_t> active_thread_caches_{0};
};

template <class Clock>
[[nodiscard]] std::uint64_t nanoseconds_of() noexcept {
    return static_cast<std::uint64_t>(
        std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now().time_since_epoch())
            .count());
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
