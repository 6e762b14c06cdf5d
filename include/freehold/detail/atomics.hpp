// SPDX-License-Identifier: BSL-1.0
// What it is: the atomics that counts use, and whether they are needed. They are a policy of the
// counts, so that a model checker replaces them and runs the shipped code.
#pragma once

#include <freehold/config.hpp>
#include <freehold/detail/single_threaded.hpp>

#include <atomic>
#include <type_traits>

namespace freehold::inline FREEHOLD_ABI::detail {

struct standard_atomics {
    template <class T>
    using atomic = std::atomic<T>;

    // Whether no other thread can look at an atomic now, so that it may be changed plainly.
    [[nodiscard, gnu::always_inline]] static bool single_threaded() noexcept {
        return is_single_threaded();
    }
    // Reads what no other thread changes now. A call less than a load of std::atomic, where the
    // compiler does not optimise.
    template <class T>
    [[nodiscard, gnu::always_inline]] static T read_plainly(const std::atomic<T>& read) noexcept {
        return plain(const_cast<std::atomic<T>&>(read));
    }
    // Adds without atomicity, and returns the sum, which wraps: one instruction with memory as its
    // target, for which a load and a store of std::atomic would be three.
    template <class T>
    [[gnu::always_inline]] static T add_plainly(std::atomic<T>& changed, T value) noexcept {
        using wrapping = std::make_unsigned_t<T>;
        T& sum = plain(changed);
        sum = static_cast<T>(static_cast<wrapping>(sum) + static_cast<wrapping>(value));
        return sum;
    }

private:
    template <class T>
    [[nodiscard, gnu::always_inline]] static T& plain(std::atomic<T>& held) noexcept {
        static_assert(sizeof(std::atomic<T>) == sizeof(T) &&
                      std::is_standard_layout_v<std::atomic<T>>);
        return reinterpret_cast<T&>(held);
    }
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
