// SPDX-License-Identifier: BSL-1.0
// What it is: conversions between freehold::shared_ptr and std::shared_ptr: to_std and from_std.
// The result is a handle of the other kind to the same object.
// When to use it: a program calls a library whose interface is std::shared_ptr.
// When not: for each call in a hot loop. Convert once, and keep the result.
// Example:
//     std::shared_ptr<widget> theirs = freehold::to_std(ours);
//     freehold::shared_ptr<widget> back = freehold::from_std(theirs);  // shares with `ours`
//
// The result owns a handle of the other kind. If the argument is itself such a result, the function
// unwraps it: it returns a handle that shares the owner of the original. from_std unwraps only a
// handle of the same Count. The result keeps the pointer, even if it is null or points to a part of
// the object. A handle without an owner stays without one. An enable_shared_from_this of the other
// kind does not learn of the result: its shared_from_this throws std::bad_weak_ptr as before.
//
// Units: a conversion takes one block of some 48 bytes from the common pool.
// Complexity: constant. A conversion costs the block and a copy of a handle. Unwrapping costs a
// comparison of types and a copy. Without run-time type information (-fno-rtti), libstdc++ finds no
// deleter. from_std then wraps to_std's results once more instead of unwrapping them.
// Thread safety: that of the two kinds. Several threads may use handles with each count but
// local_count, as they may use std::shared_ptr.
// Exceptions: std::bad_alloc. The argument, which is passed by value, is released then; the
// caller's other handles do not change.
// Ownership: the object lives until handles of both kinds have released it.
// Source: none.
#pragma once

#include <freehold/fwd.hpp>
#include <freehold/handle/detail/shared/shared_ptr_class.hpp>
#include <freehold/memory/common_pool_allocator.hpp>

#include <cstddef>
#include <memory>
#include <utility>

namespace freehold::inline FREEHOLD_ABI {
namespace detail {

// The deleter of a handle of one kind that owns a handle of the other.
template <class Handle>
struct other_owner {
    Handle owner;

    void operator()(std::nullptr_t) noexcept { owner.reset(); }
};

}  // namespace detail

// Returns a std::shared_ptr to the same object. It shares the ownership.
template <class T, class Count>
[[nodiscard]] std::shared_ptr<T> to_std(shared_ptr<T, Count> owner) {
    using kept = detail::other_owner<shared_ptr<void, Count>>;
    auto* const pointer = owner.get();
    if (owner.use_count() == 0) return {std::shared_ptr<void>(), pointer};
    if (const auto* const wrapped =
            freehold::get_deleter<detail::other_owner<std::shared_ptr<void>>>(owner))
        return {wrapped->owner, pointer};
    std::shared_ptr<void> holder(nullptr, kept{{std::move(owner), nullptr}},
                                 common_pool_allocator<std::byte>());
    return {std::move(holder), pointer};
}

// Returns a shared_ptr to the same object. It shares the ownership.
template <class Count = atomic_count, class T>
[[nodiscard]] shared_ptr<T, Count> from_std(std::shared_ptr<T> owner) {
    using kept = detail::other_owner<std::shared_ptr<void>>;
    auto* const pointer = owner.get();
    if (owner.use_count() == 0) return {shared_ptr<void, Count>(), pointer};
    if (const auto* const wrapped =
            std::get_deleter<detail::other_owner<shared_ptr<void, Count>>>(owner))
        return {wrapped->owner, pointer};
    shared_ptr<void, Count> holder(nullptr, kept{{std::move(owner), nullptr}});
    return {std::move(holder), pointer};
}

}  // namespace freehold::inline FREEHOLD_ABI
