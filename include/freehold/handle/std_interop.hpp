// SPDX-License-Identifier: BSL-1.0
// Handles to the same object of the other kind: freehold::shared_ptr beside std::shared_ptr.
//
//     std::shared_ptr<widget> theirs = freehold::to_std(ours);
//     freehold::shared_ptr<widget> back = freehold::from_std(theirs);  // shares with `ours`
//
// For a program that calls a library whose interface is std::shared_ptr. Not for every call of a
// hot loop: convert once, and keep the result.
//
// The result owns a handle of the other kind, so the object lives until both kinds have released
// it. A handle that came from the other side is unwrapped: the round trip gives a handle that
// shares its owner with the first. The pointer is kept, also where it is null or points to a part
// of what is owned; a handle without an owner stays without. An enable_shared_from_this of the
// other kind is not told of the result: its shared_from_this throws bad_weak_ptr as before.
//
// Costs one block of some 48 bytes from the common pool, and a copy of a handle; unwrapping, a
// comparison of types and a copy. Without run-time type information (-fno-rtti) libstdc++ finds no
// deleter, so that to_std's results are wrapped once more instead of unwrapped.
// Thread-safety: that of the two kinds; atomic_count and biased_count may be used from several
// threads, as std::shared_ptr may. Exceptions: std::bad_alloc; the argument is released then, as an
// argument by value is, and the caller's other handles are as they were.
#pragma once

#include <freehold/fwd.hpp>
#include <freehold/handle/shared/shared_ptr.hpp>
#include <freehold/memory/common_pool_allocator.hpp>

#include <cstddef>
#include <memory>
#include <utility>

namespace freehold::inline FREEHOLD_ABI {
namespace detail {

// What a handle of one kind has for a deleter if it owns a handle of the other.
template <class Handle>
struct other_owner {
    Handle owner;

    void operator()(std::nullptr_t) noexcept { owner.reset(); }
};

}  // namespace detail

template <class T, class Count>
[[nodiscard]] std::shared_ptr<T> to_std(shared_ptr<T, Count> owner) {
    using kept = detail::other_owner<shared_ptr<void, Count>>;
    auto* const pointer = owner.get();
    if (owner.use_count() == 0) return {std::shared_ptr<void>(), pointer};
    if (const auto* const wrapped = get_deleter<detail::other_owner<std::shared_ptr<void>>>(owner))
        return {wrapped->owner, pointer};
    std::shared_ptr<void> holder(nullptr, kept{{std::move(owner), nullptr}},
                                 common_pool_allocator<std::byte>());
    return {std::move(holder), pointer};
}

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
