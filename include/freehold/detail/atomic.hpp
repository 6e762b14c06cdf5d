// SPDX-License-Identifier: BSL-1.0
// What it is: std::atomic of an integer, of bool or of a pointer, without the header <atomic>. That
// header takes a third of the compile time that a handle's header adds to <memory>.
//
// It also names std::memory_order and declares the template std::atomic. With libstdc++, <memory>
// does both; other libraries' <atomic> is small.
//
// Units: as large as T, and aligned to its size.
// Complexity: constant.
// Thread safety: all functions may be called by several threads at once.
// Exceptions: none.
// Ownership: none.
// Source: [atomics.types.generic] of C++20.
#pragma once

#include <freehold/config.hpp>

#include <memory>
#if !defined(__GLIBCXX__)
#include <atomic>
#endif

namespace freehold::inline FREEHOLD_ABI::detail {

template <class T>
class atomic {
    static_assert(__atomic_always_lock_free(sizeof(T), nullptr));
    using order = std::memory_order;

public:
    constexpr explicit(false) atomic(T initial) noexcept : held_(initial) {}
    constexpr atomic() noexcept : held_() {}
    atomic(const atomic&) = delete;
    atomic& operator=(const atomic&) = delete;

    [[nodiscard, gnu::always_inline]] T load(order with) const noexcept {
        return __atomic_load_n(&held_, static_cast<int>(with));
    }
    [[gnu::always_inline]] void store(T desired, order with) noexcept {
        __atomic_store_n(&held_, desired, static_cast<int>(with));
    }
    [[gnu::always_inline]] T exchange(T desired, order with) noexcept {
        return __atomic_exchange_n(&held_, desired, static_cast<int>(with));
    }
    [[gnu::always_inline]] bool compare_exchange_strong(T& expected, T desired, order success,
                                                        order failure) noexcept {
        return __atomic_compare_exchange_n(&held_, &expected, desired, false,
                                           static_cast<int>(success), static_cast<int>(failure));
    }
    [[gnu::always_inline]] bool compare_exchange_weak(T& expected, T desired, order success,
                                                      order failure) noexcept {
        return __atomic_compare_exchange_n(&held_, &expected, desired, true,
                                           static_cast<int>(success), static_cast<int>(failure));
    }
    [[gnu::always_inline]] T fetch_add(T added, order with) noexcept {
        return __atomic_fetch_add(&held_, added, static_cast<int>(with));
    }
    [[gnu::always_inline]] T fetch_sub(T subtracted, order with) noexcept {
        return __atomic_fetch_sub(&held_, subtracted, static_cast<int>(with));
    }

    // For a thread that no other thread runs beside, or for what no other thread changes now: the
    // compiler may join such accesses.
    [[nodiscard, gnu::always_inline]] T& plain() noexcept { return held_; }
    [[nodiscard, gnu::always_inline]] const T& plain() const noexcept { return held_; }

private:
    alignas(sizeof(T)) T held_;
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
