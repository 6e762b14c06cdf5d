// SPDX-License-Identifier: BSL-1.0
// What the parts of a cache have in common.
#pragma once

#include <freehold/cache/buffers/buffer_cache_options.hpp>
#include <freehold/cache/buffers/buffer_memory.hpp>
#include <freehold/cache/buffers/buffer_part.hpp>
#include <freehold/cache/buffers/byte_budget.hpp>
#include <freehold/cache/buffers/shared_buffers.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace freehold::inline FREEHOLD_ABI::detail {

template <buffer_policy Policy>
struct buffer_core {
    buffer_core(buffer_cache_options asked, const typename Policy::options& of_policy)
        : options(std::move(asked)),
          memory(options.upstream),
          budget(options.max_idle),
          step(std::clamp<std::size_t>(options.max_idle / 64, 1, std::size_t{64} << 10)),
          shared(of_policy, budget, step) {}

    // Of the parts of threads, those that are in use. Relaxed: a number that guards no data.
    void add_part() noexcept { parts_.fetch_add(1, std::memory_order_relaxed); }
    void remove_part() noexcept { parts_.fetch_sub(1, std::memory_order_relaxed); }
    // relaxed: who learns of another late keeps a few more buffers to itself.
    [[nodiscard]] bool has_several_parts() const noexcept {
        return parts_.load(std::memory_order_relaxed) > 1;
    }
    // The largest request that one of them serves; those beyond are for the part for all.
    [[nodiscard]] std::size_t largest_of_one_part() const noexcept {
        const std::size_t largest = std::min(options.cutoff, buffer_memory::largest);
        if (!has_several_parts()) return largest;
        const std::size_t by_default = std::min(options.max_idle / 512, std::size_t{128} << 10);
        const std::size_t shared_from = options.shared_from.value_or(by_default);
        return std::min(largest, std::max<std::size_t>(shared_from, 1) - 1);
    }

    const buffer_cache_options options;
    const buffer_memory memory;
    byte_budget budget;
    // What is reserved of the budget at a time, if there is as much.
    const std::size_t step;
    shared_buffers<Policy> shared;

private:
    std::atomic<std::uint32_t> parts_{0};
};

template <class Clock>
[[nodiscard]] std::uint64_t nanoseconds_of() noexcept {
    return static_cast<std::uint64_t>(
        std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now().time_since_epoch())
            .count());
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
