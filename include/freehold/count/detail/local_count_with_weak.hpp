// SPDX-License-Identifier: BSL-1.0
// What it is: local_count with weak references, for one thread.
// Units: 8 bytes.
// Complexity: a copy is one addition to memory and a branch on its sign. A release is a load, a
// comparison and a subtraction.
// Thread safety: none.
// Exceptions: none. The count terminates the program on overflow, and if a handle is released or
// copied whose object has no owners. It detects the latter until the memory is reused.
#pragma once

#include <freehold/count/detail/weak_word.hpp>
#include <freehold/count/reference_count.hpp>

#include <cstdint>
#include <utility>

namespace freehold::inline FREEHOLD_ABI {

// local_count with weak references. handle/shared_ptr.hpp and handle/arc.hpp use it.
class local_count_with_weak {
    static constexpr auto owner = detail::weak_word::owner;
    static constexpr auto weak = detail::weak_word::weak;

public:
    // The bytes that it begins as, and zeros behind them.
    static constexpr auto as_new = detail::weak_word::alone_beside(0);

    // Starts with one owner.
    template <class T>
    explicit local_count_with_weak(std::in_place_type_t<T>) noexcept {}
    local_count_with_weak(const local_count_with_weak&) = delete;
    local_count_with_weak& operator=(const local_count_with_weak&) = delete;

    void increment() noexcept { add(1); }
    void increment_held(std::int64_t owners) noexcept { add(owners); }

    [[nodiscard]] bool try_increment() noexcept {
        if (word_ < owner) return false;
        increment();
        return true;
    }

    enum class departure { from_owners, unsettled };

    [[nodiscard, gnu::always_inline]] departure depart() noexcept {
        if (word_ < 2 * owner) [[unlikely]]
            return departure::unsettled;
        word_ -= owner;
        return departure::from_owners;
    }
    [[nodiscard, gnu::always_inline]] static constexpr bool leaves_owners(departure seen) noexcept {
        return seen == departure::from_owners;
    }
    [[nodiscard, gnu::always_inline]] bool rests_alone(departure) noexcept {
        if (word_ != detail::weak_word::alone) return false;
        rest();
        return true;
    }
    [[nodiscard]] remaining settle(departure) noexcept { return few(1); }

    [[nodiscard]] remaining decrement() noexcept {
        const departure seen = depart();
        return leaves_owners(seen) ? remaining::owners : settle(seen);
    }

    [[nodiscard]] remaining decrement_held(std::int64_t owners) noexcept {
        if (word_ < (owners + 1) * owner) return few(owners);
        word_ -= owners * owner;
        return remaining::owners;
    }

    void increment_weak() noexcept {
        if (is_at_rest()) detail::weak_word::used_at_rest();
        if ((++word_ & detail::weak_word::weak_mask) >= detail::weak_word::most_weak) [[unlikely]]
            detail::weak_word::overflow();
    }

    void increment_weak_held() noexcept { increment_weak(); }

    [[nodiscard]] bool decrement_weak() noexcept {
        if ((word_ & detail::weak_word::weak_mask) > weak) {
            --word_;
            return false;
        }
        // The last one belongs to all owners together, and is given up after them.
        if (word_ != weak) detail::weak_word::used_at_rest();
        rest();
        return true;
    }

    [[nodiscard]] std::int64_t value() const noexcept { return detail::weak_word::owners(word_); }

    // Whether the last handle has been released, including weak ones.
    [[nodiscard]] bool is_at_rest() const noexcept { return word_ == detail::weak_word::gone; }

private:
    void add(std::int64_t owners) noexcept {
        word_ = detail::weak_word::after_adding(owners * owner, word_);
        if (word_ < 0) [[unlikely]]
            detail::weak_word::refuse_addition(word_);
    }

    // The caller's owners are all there are, or more.
    remaining few(std::int64_t owners) noexcept {
        if (word_ == detail::weak_word::only(owners)) {
            rest();
            return remaining::nothing;
        }
        if (word_ < owners * owner) detail::weak_word::used_at_rest();
        word_ -= owners * owner;
        return remaining::weak_references;
    }

    // A negative word: each addition and each subtraction that comes after finds it out of range.
    void rest() noexcept {
        word_ = detail::weak_word::gone;
        // The count's life is about to end, and a compiler would leave out the last store in it.
        asm volatile("" : : "m"(word_));
    }

    std::int64_t word_ = detail::weak_word::alone;
};

static_assert(weak_reference_count<local_count_with_weak>);

}  // namespace freehold::inline FREEHOLD_ABI
