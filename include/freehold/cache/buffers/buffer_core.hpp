// SPDX-License-Identifier: BSL-1.0
// What the parts of a cache have in common.
#pragma once

#include <freehold/cache/buffers/buffer_cache_options.hpp>
#include <freehold/cache/buffers/buffer_memory.hpp>
#include <freehold/cache/buffers/buffer_part.hpp>
#include <freehold/cache/buffers/byte_budget.hpp>
#include <freehold/cache/buffers/shared_buffers.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace freehold::detail {

template <buffer_policy Policy>
struct buffer_core {
    buffer_core(buffer_cache_options asked, const typename Policy::options& of_policy)
        : options(std::move(asked)),
          memory(options.upstream),
          budget(options.max_idle),
          step(std::clamp<std::size_t>(options.max_idle / 64, 1, std::size_t{64} << 10)),
          shared(of_policy, budget, step) {}

    const buffer_cache_options options;
    const buffer_memory memory;
    byte_budget budget;
    // What is reserved of the budget at a time, if there is as much.
    const std::size_t step;
    shared_buffers<Policy> shared;
};

template <class Clock>
[[nodiscard]] std::uint64_t nanoseconds_of() noexcept {
    return static_cast<std::uint64_t>(
        std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now().time_since_epoch())
            .count());
}

}  // namespace freehold::detail
