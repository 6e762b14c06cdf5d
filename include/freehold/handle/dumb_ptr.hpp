// SPDX-License-Identifier: BSL-1.0
// What it is: a pointer that acquires and releases an object, and does not count. It is the lower
// bound of the cost of every smart pointer.
// When to use it: other code settles the ownership, or a measurement needs the cost without
// counting.
// When not: if the handles have to find out when the object may be deleted.
// Example: `freehold::dumb_ptr<widget> shown(new widget); auto copy = shown; copy.dispose();`
//
// Copying copies the pointer. Destruction, assignment and reset() do not delete the pointee.
// dispose() deletes the pointee and sets its own handle to null. The other copies then dangle: the
// program may only assign to them, reset them or destroy them.
//
// Units: a handle is one word.
// Complexity: that of a plain pointer, with exactly its instructions. dumb_ptr is trivially
// copyable.
// Thread safety: as a plain pointer.
// Exceptions: none. dispose() is noexcept: a destructor that throws terminates the program.
// Ownership: all copies of a dumb_ptr own the pointee together. The program calls dispose() on
// exactly one of them, once. If it never does, the pointee leaks; a second call is undefined.
// Source: "dumb" in Boost's "Smart Pointer Timings" (2000).
#pragma once

#include <freehold/handle/detail/handle_operators.hpp>

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
    // Refers to the pointee. Nothing is deleted unless dispose is called.
    constexpr explicit dumb_ptr(T* pointee) noexcept : pointee_(pointee) {}

    template <class U>
        requires(!std::same_as<U, T> && std::convertible_to<U*, T*>)
    constexpr dumb_ptr(const dumb_ptr<U>& other) noexcept : pointee_(other.get()) {}

    // Deletes the pointee as a T, whatever type it had when it was acquired.
    constexpr void dispose() noexcept { delete std::exchange(pointee_, nullptr); }

    // Refers to another pointee. The former one is not deleted.
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
