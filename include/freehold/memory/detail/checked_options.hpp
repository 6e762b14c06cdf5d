// SPDX-License-Identifier: BSL-1.0
// Checks the options of a pool, and derives what follows from them.
#pragma once

#include <freehold/detail/exceptions.hpp>
#include <freehold/detail/rounding.hpp>
#include <freehold/memory/detail/checks.hpp>
#include <freehold/memory/detail/default_magazine.hpp>
#include <freehold/memory/pages.hpp>
#include <freehold/memory/pool_options.hpp>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstddef>
#include <stdexcept>

namespace freehold::inline FREEHOLD_ABI::detail {

[[nodiscard]] constexpr bool is_small(std::size_t stride) noexcept {
    return stride < 512;
}

// The distance in bytes from one block to the next.
[[nodiscard]] inline std::size_t stride_of(const pool_options& options) noexcept {
    const std::size_t guard = options.checked ? block_checks::least_guard_size : 0;
    const std::size_t unit = options.alignment;
    const std::size_t size = up_to_whole(unit, options.block_size + guard);
    return is_small(size) || unit > 64 ? size : up_to_whole(64, size) | 64;
}

// Returns the options, with magazine_size chosen if it was 0. Throws std::invalid_argument, whose
// message names the pool and the option.
[[nodiscard]] inline pool_options checked_options(pool_options options) {
    const auto require = [&](bool holds, const char* otherwise) {
        if (!holds) {
            FREEHOLD_THROW(
                std::invalid_argument("freehold: pool '" + options.name + "': " + otherwise));
        }
    };
    require(options.block_size > 0, "block_size is 0: say how many bytes a block has");
    require(options.block_size <= pool_options::unlimited / 4,
            "block_size is more than memory has");
    require(std::has_single_bit(options.alignment), "alignment is not a power of two");
    require(options.alignment <= std::size_t{1} << 30, "alignment is more than 1 GiB");
    require(options.maximum_capacity > 0, "maximum_capacity is 0: no block could be had");
    require(options.initial_capacity <= options.maximum_capacity,
            "initial_capacity is more than maximum_capacity");
    constexpr std::size_t largest_magazine = 32767;  // a quarter MiB of addresses
    require(options.magazine_size <= largest_magazine, "magazine_size is more than 32767");
    require(options.on_exhaustion != exhaustion::call_back || options.when_exhausted != nullptr,
            "on_exhaustion is call_back, but when_exhausted is not set");
    require(options.on_exhaustion == exhaustion::call_back || options.when_exhausted == nullptr,
            "when_exhausted is set, but on_exhaustion is not call_back");
    require(options.wait_limit >= std::chrono::nanoseconds::zero(), "wait_limit is negative");
    require(options.upstream == nullptr || options.huge == huge_pages::never,
            "huge pages are for the pool's own pages: give them to the upstream");
    if (options.magazine_size == 0) {
        options.magazine_size = default_magazine_size(stride_of(options), options.maximum_capacity,
                                                      caches_of_this_processor());
    }
    return options;
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
