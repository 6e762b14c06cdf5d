// SPDX-License-Identifier: BSL-1.0
// A value that one thread writes and others may read, in no order with anything else: plain loads
// and stores, that a race does not make undefined. std::atomic says the same, and costs a function
// call for each where the compiler does not optimise.
#pragma once

#include <freehold/config.hpp>

namespace freehold::inline FREEHOLD_ABI::detail {

template <class T>
struct relaxed {
    T value;

    [[nodiscard]] T get() const noexcept { return __atomic_load_n(&value, __ATOMIC_RELAXED); }
    void set(T to) noexcept { __atomic_store_n(&value, to, __ATOMIC_RELAXED); }
    void add(T more) noexcept {
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
        // The one instruction that g++ does not make of the two.
        static_assert(sizeof(T) == 8);
        asm("addq %1, %0" : "+m"(value) : "er"(more));
#else
        set(get() + more);
#endif
    }
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
