// SPDX-License-Identifier: BSL-1.0
// What it is: the operations of every handle that are not members: comparison with handles of its
// family and with nullptr, swap, output and std::hash. A handle specialises detail::handle_family
// with a type of its own. Handles of two families are not comparable.
// Complexity: that of the same operation on pointers.
// Exceptions: only the output may throw.
#pragma once

#include <freehold/config.hpp>

#include <compare>
#include <concepts>
#include <cstddef>
#include <iosfwd>
#include <type_traits>
#include <typeindex>  // std::hash, without <functional>

namespace freehold::inline FREEHOLD_ABI {
namespace detail {

template <class H>
struct handle_family {
    using type = void;
};

template <class H>
concept handle = !
std::is_void_v<typename handle_family<H>::type>;

template <class A, class B>
concept comparable_handles =
    handle<A> && std::same_as<typename handle_family<A>::type, typename handle_family<B>::type> &&
    requires(const A& a, const B& b) { a.get() == b.get(); };

// The operators are constrained by a defaulted template argument rather than a requires-clause:
// clang before 16 forms the declaration before it looks at the latter, and refuses an operator for
// two raw pointers, which a call by name (as in std::compare_three_way) may ask for.
template <bool Condition>
using only_if = std::enable_if_t<Condition>;

}  // namespace detail

// Handles of one family compare as the addresses of their objects. nullptr compares as a null
// handle.
template <class A, class B, class = detail::only_if<detail::comparable_handles<A, B>>>
[[nodiscard]] constexpr bool operator==(const A& a, const B& b) noexcept {
    return a.get() == b.get();
}

// Orders handles of one family by the addresses of their objects.
template <class A, class B, class = detail::only_if<detail::comparable_handles<A, B>>>
[[nodiscard]] constexpr std::strong_ordering operator<=>(const A& a, const B& b) noexcept {
    return std::compare_three_way()(a.get(), b.get());
}

// Whether the handle is null.
template <class H, class = detail::only_if<detail::handle<H>>>
[[nodiscard]] constexpr bool operator==(const H& handle, std::nullptr_t) noexcept {
    return handle.get() == nullptr;
}

// Orders a handle and null by address.
template <class H, class = detail::only_if<detail::handle<H>>>
[[nodiscard]] constexpr std::strong_ordering operator<=>(const H& handle, std::nullptr_t) noexcept {
    return std::compare_three_way()(handle.get(), decltype(handle.get())(nullptr));
}

template <detail::handle H>
constexpr void swap(H& a, H& b) noexcept {
    a.swap(b);
}

// Writes the object's address.
template <class Char, class Traits, detail::handle H>
std::basic_ostream<Char, Traits>& operator<<(std::basic_ostream<Char, Traits>& out,
                                             const H& handle) {
    return out << handle.get();
}

}  // namespace freehold::inline FREEHOLD_ABI

// Hashes a handle as its object's address.
template <freehold::detail::handle H>
struct std::hash<H> {
    // The hash of the object's address.
    [[nodiscard]] std::size_t operator()(const H& handle) const noexcept {
        return std::hash<decltype(handle.get())>()(handle.get());
    }
};
