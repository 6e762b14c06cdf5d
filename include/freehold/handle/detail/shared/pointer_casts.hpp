// SPDX-License-Identifier: BSL-1.0
// What it is: the casts of shared_ptr. The result owns the same object as another type. A cast of
// an rvalue moves the ownership, and does not access the count.
#pragma once

#include <freehold/handle/detail/shared/shared_ptr_class.hpp>

#include <type_traits>
#include <utility>

namespace freehold::inline FREEHOLD_ABI {

template <class T, class U, class Count>
[[nodiscard]] shared_ptr<T, Count> static_pointer_cast(const shared_ptr<U, Count>& from) noexcept {
    return {from, static_cast<std::remove_extent_t<T>*>(from.get())};
}
template <class T, class U, class Count>
[[nodiscard]] shared_ptr<T, Count> static_pointer_cast(shared_ptr<U, Count>&& from) noexcept {
    auto* const to = static_cast<std::remove_extent_t<T>*>(from.get());
    return {std::move(from), to};
}

template <class T, class U, class Count>
[[nodiscard]] shared_ptr<T, Count> const_pointer_cast(const shared_ptr<U, Count>& from) noexcept {
    return {from, const_cast<std::remove_extent_t<T>*>(from.get())};
}
template <class T, class U, class Count>
[[nodiscard]] shared_ptr<T, Count> const_pointer_cast(shared_ptr<U, Count>&& from) noexcept {
    auto* const to = const_cast<std::remove_extent_t<T>*>(from.get());
    return {std::move(from), to};
}

template <class T, class U, class Count>
[[nodiscard]] shared_ptr<T, Count> reinterpret_pointer_cast(
    const shared_ptr<U, Count>& from) noexcept {
    return {from, reinterpret_cast<std::remove_extent_t<T>*>(from.get())};
}
template <class T, class U, class Count>
[[nodiscard]] shared_ptr<T, Count> reinterpret_pointer_cast(shared_ptr<U, Count>&& from) noexcept {
    auto* const to = reinterpret_cast<std::remove_extent_t<T>*>(from.get());
    return {std::move(from), to};
}

// Null, and `from` is left alone, if the object is no T.
template <class T, class U, class Count>
[[nodiscard]] shared_ptr<T, Count> dynamic_pointer_cast(const shared_ptr<U, Count>& from) noexcept {
    if (auto* const to = dynamic_cast<std::remove_extent_t<T>*>(from.get())) return {from, to};
    return nullptr;
}
template <class T, class U, class Count>
[[nodiscard]] shared_ptr<T, Count> dynamic_pointer_cast(shared_ptr<U, Count>&& from) noexcept {
    if (auto* const to = dynamic_cast<std::remove_extent_t<T>*>(from.get()))
        return {std::move(from), to};
    return nullptr;
}

}  // namespace freehold::inline FREEHOLD_ABI
