// SPDX-License-Identifier: BSL-1.0
// A value that one thread writes and others may read, in no order with anything else: plain loads
// and stores, that a race does not make undefined. std::atomic says the same, and costs a function
// call for each where the compiler does not optimise.
#pragma once

namespace freehold::detail {

template <class T>
class relaxed {
public:
    constexpr explicit relaxed(T value) noexcept : value_(value) {}
    relaxed(const relaxed&) = delete;
    relaxed& operator=(const relaxed&) = delete;

    [[nodiscard, gnu::always_inline]] T get() const noexcept {
        return __atomic_load_n(&value_, __ATOMIC_RELAXED);
    }
    [[gnu::always_inline]] void set(T value) noexcept {
        __atomic_store_n(&value_, value, __ATOMIC_RELAXED);
    }
    [[gnu::always_inline]] void add(T more) noexcept { set(get() + more); }

private:
    T value_;
};

}  // namespace freehold::detail
