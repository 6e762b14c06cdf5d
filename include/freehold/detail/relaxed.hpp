// SPDX-License-Identifier: BSL-1.0
// A value that one thread writes and other threads may read, without any order with other accesses.
// Loads and stores are plain instructions, but a race is not undefined behaviour. std::atomic with
// relaxed order does the same, but without optimisation it costs a function call for each access.
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
        // One instruction, which g++ does not form from the load and the store.
        static_assert(sizeof(T) == 8);
        asm("addq %1, %0" : "+m"(value) : "er"(more));
#else
        set(get() + more);
#endif
    }
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
