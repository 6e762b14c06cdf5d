// SPDX-License-Identifier: BSL-1.0
// What it is: a count of owners for one thread.
// When to use it: all owners of an object are on one thread, or no two threads use them at once.
// When not: if several threads use owners of one object at once (atomic_count, biased_count).
// Example: `freehold::counted_ptr<shape, freehold::local_count> drawn(new circle);`
//
// Units: 8 bytes.
// Complexity: a copy is one `inc` of memory. A release is one `dec` and a branch on its flags.
// Thread safety: none.
// Exceptions: none. The count has 64 bits. It cannot overflow in practice: at one increment a
// nanosecond, an overflow would take 292 years.
// Ownership: none; the object that has the count owns it.
// Source: none.
#pragma once

#include <freehold/count/detail/local_count_with_weak.hpp>
#include <freehold/count/reference_count.hpp>

#include <cstdint>

namespace freehold::inline FREEHOLD_ABI {

class local_count {
public:
    using with_weak = local_count_with_weak;
    static constexpr bool is_thread_safe = false;

    // Starts at `initial`.
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
