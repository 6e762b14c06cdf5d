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

}  // namespace detail

// All parameters are named as H<A...>, which is more special than the plain T of the standard
// library's templates. A constraint would not do: theirs have other constraints, and a call would
// be ambiguous.

// Handles of one family compare as the addresses of their objects. nullptr compares as a null
// handle.
template <template <class...> class H, class... A, class... B>
    requires detail::comparable_handles<H<A...>, H<B...>>
[[nodiscard]] constexpr bool operator==(const H<A...>& a, const H<B...>& b) noexcept {
    return a.get() == b.get();
}

// Orders handles of one family by the addresses of their objects.
template <template <class...> class H, class... A, class... B>
    requires detail::comparable_handles<H<A...>, H<B...>>
[[nodiscard]] constexpr std::strong_ordering operator<=>(const H<A...>& a,
                                                         const H<B...>& b) noexcept {
    return std::compare_three_way()(a.get(), b.get());
}

// Whether the handle is null.
template <template <class...> class H, class... A>
    requires detail::handle<H<A...>>
[[nodiscard]] constexpr bool operator==(const H<A...>& handle, std::nullptr_t) noexcept {
    return handle.get() == nullptr;
}

// Orders a handle and null by address.
template <template <class...> class H, class... A>
    requires detail::handle<H<A...>>
[[nodiscard]] constexpr std::strong_ordering operator<=>(const H<A...>& handle,
                                                         std::nullptr_t) noexcept {
    return std::compare_three_way()(handle.get(), decltype(handle.get())(nullptr));
}

template <template <class...> class H, class... A>
    requires detail::handle<H<A...>>
constexpr void swap(H<A...>& a, H<A...>& b) noexcept {
    a.swap(b);
}

// Writes the object's address.
template <class Char, class Traits, template <class...> class H, class... A>
    requires detail::handle<H<A...>>
std::basic_ostream<Char, Traits>& operator<<(std::basic_ostream<Char, Traits>& out,
                                             const H<A...>& handle) {
    return out << handle.get();
}

}  // namespace freehold::inline FREEHOLD_ABI

// Hashes a handle as its object's address.
template <template <class...> class H, class... A>
    requires freehold::detail::handle<H<A...>>
struct std::hash<H<A...>> {
    // The hash of the object's address.
    [[nodiscard]] std::size_t operator()(const H<A...>& handle) const noexcept {
        return std::hash<decltype(handle.get())>()(handle.get());
    }
};
