// SPDX-License-Identifier: BSL-1.0
// A count for owners that all live on one thread (or are never touched by two at once).
//
// Costs 8 bytes; a copy is one `inc` of memory, a release one `dec` and a branch on its flags.
// Not thread-safe. Does not throw. 64 bits wide, so it cannot overflow silently: at one increment
// a nanosecond it would take 292 years.
#pragma once

#include <freehold/count/local_count_with_weak.hpp>
#include <freehold/count/reference_count.hpp>

#include <cstdint>

namespace freehold::inline FREEHOLD_ABI {

class local_count {
public:
    using with_weak = local_count_with_weak;
    static constexpr bool is_thread_safe = false;

    constexpr explicit local_count(std::int64_t initial) noexcept : value_(initial) {}
    local_count(const local_count&) = delete;
    local_count& operator=(const local_count&) = delete;

    constexpr void increment() noexcept { ++value_; }
    [[nodiscard]] constexpr bool decrement() noexcept { return --value_ == 0; }
    [[nodiscard]] constexpr std::int64_t value() const noexcept { return value_; }

private:
    std::int64_t value_;
};

static_assert(weakable_reference_count<local_count>);

}  // namespace freehold::inline FREEHOLD_ABI
