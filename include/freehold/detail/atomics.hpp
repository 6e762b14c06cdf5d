// SPDX-License-Identifier: BSL-1.0
// What it is: the atomics that counts use, and whether they are needed. They are a policy of the
// counts, so that a model checker replaces them and runs the shipped code.
#pragma once

#include <freehold/config.hpp>
#include <freehold/detail/atomic.hpp>
#include <freehold/detail/single_threaded.hpp>

#include <type_traits>

namespace freehold::inline FREEHOLD_ABI::detail {

struct standard_atomics {
    template <class T>
    using atomic = detail::atomic<T>;

    // Whether no other thread can look at an atomic now, so that it may be changed plainly.
    [[nodiscard, gnu::always_inline]] static bool single_threaded() noexcept {
        return is_single_threaded();
    }
    // Reads what no other thread changes now.
    template <class T>
    [[nodiscard, gnu::always_inline]] static T read_plainly(
        const detail::atomic<T>& read) noexcept {
        return read.plain();
    }
    // Adds without atomicity, and returns the sum, which wraps: one instruction with memory as its
    // target, for which a load and a store would be three.
    template <class T>
    [[gnu::always_inline]] static T add_plainly(detail::atomic<T>& changed, T value) noexcept {
        using wrapping = std::make_unsigned_t<T>;
        T& sum = changed.plain();
        sum = static_cast<T>(static_cast<wrapping>(sum) + static_cast<wrapping>(value));
        return sum;
    }
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
