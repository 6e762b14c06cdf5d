// SPDX-License-Identifier: BSL-1.0
// A count for owners on several threads.
//
// Costs 8 bytes; a copy is one locked add, a release one locked add, or one plain load when the
// owner is alone. That load is what makes handing an object over and dropping it as cheap as with a
// plain count; under contention it adds a read of a line that the locked add needs anyway.
// Thread-safe: distinct owners may increment and decrement at once. Does not throw, does not wrap.
// Decrements are acquire-release rather than release with a fence before the deletion: the fence
// saves nothing on x86 and little elsewhere, and ThreadSanitizer cannot follow it.
#pragma once

#include <freehold/count/atomic_count_with_weak.hpp>
#include <freehold/count/reference_count.hpp>

#include <atomic>
#include <cstdint>

namespace freehold {

class atomic_count {
public:
    using with_weak = atomic_count_with_weak;
    static constexpr bool is_thread_safe = true;

    constexpr explicit atomic_count(std::int64_t initial) noexcept : value_(initial) {}
    atomic_count(const atomic_count&) = delete;
    atomic_count& operator=(const atomic_count&) = delete;

    void increment() noexcept {
        // relaxed: whoever copies an owner already sees the object, and publishes nothing by it.
        value_.fetch_add(1, std::memory_order_relaxed);
    }

    [[nodiscard]] bool decrement() noexcept {
        // acquire: reading 1 means that the other owners are gone, and that nobody is left who
        // could increment; it pairs with the release half of their decrements below, so that what
        // they did to the object happens before its destruction. The value may stay 1.
        if (value_.load(std::memory_order_acquire) == 1) return true;
        // release: what this owner did happens before whoever destroys; acquire: the one that
        // takes the count to zero is the one that destroys.
        return value_.fetch_sub(1, std::memory_order_acq_rel) == 1;
    }

    [[nodiscard]] std::int64_t value() const noexcept {
        // acquire: an owner that reads 1 may write to the object (copy on write), which must come
        // after what former owners did.
        return value_.load(std::memory_order_acquire);
    }

private:
    std::atomic<std::int64_t> value_;
};

static_assert(weakable_reference_count<atomic_count>);

}  // namespace freehold
