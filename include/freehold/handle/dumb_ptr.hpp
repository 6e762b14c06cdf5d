// SPDX-License-Identifier: BSL-1.0
// A pointer that acquires and releases, and nothing else: the floor under every smart pointer.
//
// A set of dumb_ptr copies owns its pointee together, and nobody counts. Copying copies the
// pointer; destruction, assignment and reset() forget it; dispose() on any one of the set deletes
// the pointee, and whoever holds the set calls it exactly once: never is a leak, twice is
// undefined. After it the other copies dangle and may only be assigned to, reset or destroyed. Use
// it where ownership is settled elsewhere, or to learn what counting costs.
//
// Costs one word, and exactly a plain pointer's instructions: it is trivially copyable.
// Thread-safety and exceptions: as a plain pointer; only the pointee's destructor could throw.
// Source: "dumb" in Boost's "Smart Pointer Timings" (2000).
#pragma once

#include <freehold/handle/handle_operators.hpp>

#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace freehold::inline FREEHOLD_ABI {

template <class T>
class dumb_ptr {
    static_assert(!std::is_array_v<T>, "dumb_ptr deletes with delete, not delete[]");

public:
    using element_type = T;

    constexpr dumb_ptr() noexcept = default;
    constexpr dumb_ptr(std::nullptr_t) noexcept {}
    constexpr explicit dumb_ptr(T* pointee) noexcept : pointee_(pointee) {}

    template <class U>
        requires(!std::same_as<U, T> && std::convertible_to<U*, T*>)
    constexpr dumb_ptr(const dumb_ptr<U>& other) noexcept : pointee_(other.get()) {}

    // Deletes the pointee as a T, whatever it was acquired as.
    constexpr void dispose() noexcept { delete std::exchange(pointee_, nullptr); }

    constexpr void reset(T* pointee = nullptr) noexcept { pointee_ = pointee; }
    constexpr void swap(dumb_ptr& other) noexcept { std::swap(pointee_, other.pointee_); }

    [[nodiscard]] constexpr T* get() const noexcept { return pointee_; }
    [[nodiscard]] constexpr std::add_lvalue_reference_t<T> operator*() const noexcept {
        return *pointee_;
    }
    [[nodiscard]] constexpr T* operator->() const noexcept { return pointee_; }
    [[nodiscard]] constexpr explicit operator bool() const noexcept { return pointee_ != nullptr; }

private:
    T* pointee_ = nullptr;
};

namespace detail {
struct dumb_family;
template <class T>
struct handle_family<dumb_ptr<T>> {
    using type = dumb_family;
};
}  // namespace detail

}  // namespace freehold::inline FREEHOLD_ABI
