// SPDX-License-Identifier: BSL-1.0
// A count of owners and weak references that all live on one thread.
//
// Costs 8 bytes; a copy is one addition to memory and a branch on its sign, a release a load, a
// comparison and a subtraction. Not thread-safe. Does not throw; terminates on overflow.
#pragma once

#include <freehold/count/reference_count.hpp>
#include <freehold/count/weak_word.hpp>

#include <cstdint>
#include <utility>

namespace freehold {

class local_count_with_weak {
    static constexpr auto owner = detail::weak_word::owner;

public:
    template <class T>
    constexpr explicit local_count_with_weak(std::in_place_type_t<T>) noexcept {}
    local_count_with_weak(const local_count_with_weak&) = delete;
    local_count_with_weak& operator=(const local_count_with_weak&) = delete;

    constexpr void increment() noexcept {
        word_ = detail::weak_word::after_adding(owner, word_);
        if (word_ < 0) [[unlikely]]
            detail::weak_word::overflow();
    }

    [[nodiscard]] constexpr bool try_increment() noexcept {
        if (word_ < owner) return false;
        increment();
        return true;
    }

    [[nodiscard]] constexpr remaining decrement() noexcept {
        if (word_ >= 2 * owner) [[likely]] {
            word_ -= owner;
            return remaining::owners;
        }
        if (word_ == detail::weak_word::alone) return remaining::nothing;
        word_ -= owner;
        return remaining::weak_references;
    }

    constexpr void increment_weak() noexcept {
        if ((++word_ & detail::weak_word::weak_mask) >= detail::weak_word::most_weak) [[unlikely]]
            detail::weak_word::overflow();
    }

    [[nodiscard]] constexpr bool decrement_weak() noexcept { return --word_ == 0; }

    [[nodiscard]] constexpr std::int64_t value() const noexcept {
        return detail::weak_word::owners(word_);
    }

private:
    std::int64_t word_ = detail::weak_word::alone;
};

static_assert(weak_reference_count<local_count_with_weak>);

}  // namespace freehold
