// SPDX-License-Identifier: BSL-1.0
// What it is: make_shared and allocate_shared, which make an object or an array in one block with
// its counts.
//
// make_shared takes the block from the common_pool of its size (arrays and large objects from
// operator new). allocate_shared takes it from a copy of its allocator, which also constructs and
// destroys the objects. The forms `_for_overwrite` do not zero objects without a constructor: these
// keep the memory's bytes. Functions that make one object with an allocator are inlined by force:
// arc/make_arc.hpp states why.
//
// A program may call the overloads without a Count by a using-declaration. For arguments from std,
// argument-dependent lookup then also finds std's functions. For one object, the overloads here are
// more specialised: they name the first argument, or take none. They have std's template
// parameters, so that `&make_shared<T, A>` and friend declarations mean the same. For arrays, and
// for allocate_shared_for_overwrite, the parameters are std's, and the call is ambiguous.
//
// Exceptions: std::bad_alloc, std::bad_array_new_length for an array longer than memory, and what
// the objects' constructors throw. The constructed objects are destroyed and the memory is freed
// then.
#pragma once

#include <freehold/handle/detail/shared/array_block.hpp>
#include <freehold/handle/detail/shared/in_place_block.hpp>
#include <freehold/handle/detail/shared/shared_ptr_class.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace freehold::inline FREEHOLD_ABI {
namespace detail {

template <class T, class Count, class Allocator, lifetime Lifetime = lifetime::by_allocator>
using shared_block = in_place_block<std::remove_cv_t<T>, Count, Allocator, Lifetime>;

template <class T, class Count, lifetime Lifetime, class Allocator, class... Args>
[[FREEHOLD_INLINED]] inline shared_ptr<T, Count> make_object(const Allocator& allocator,
                                                             Args&&... args) {
    using block = shared_block<T, Count, Allocator, Lifetime>;
    block* const made = block::make(allocator, static_cast<Args&&>(args)...);
    auto owner = shared_access::own<T, Count>(made->object(), made);
    shared_access::connect_weak_this(owner, made->object());
    return owner;
}

template <class T, class Count, lifetime Lifetime, class Allocator, class... Initial>
shared_ptr<T, Count> make_array(const Allocator& allocator, std::size_t length,
                                const Initial&... initial) {
    using element = std::remove_cv_t<std::remove_extent_t<T>>;
    using block = array_block<element, Count, Allocator, Lifetime>;
    block* const made = block::make(allocator, length, initial...);
    return shared_access::own<T, Count>(made->elements(), made);
}

// A shared_ptr for functions whose Count is always named: it is never deduced from the result.
template <class T, class Count>
using shared_ptr_of = shared_ptr<T, std::type_identity_t<Count>>;

// An argument's type, if only by the member that every count has: the whole concept of a count
// would look at the constructors of every argument.
template <class T>
concept no_count = !requires { typename T::with_weak; };

}  // namespace detail

// The size and the alignment of the block that allocate_shared<T, Count> and
// allocate_shared_for_overwrite request from an Allocator for each object. The blocks of a pool for
// such objects must have at least these.
template <class T, class Allocator, weakable_reference_count Count = atomic_count>
    requires(!std::is_array_v<T>)
[[nodiscard]] constexpr std::size_t shared_block_size() noexcept {
    return sizeof(detail::shared_block<T, Count, Allocator>);
}
template <class T, class Allocator, weakable_reference_count Count = atomic_count>
    requires(!std::is_array_v<T>)
[[nodiscard]] constexpr std::size_t shared_block_alignment() noexcept {
    return alignof(detail::shared_block<T, Count, Allocator>);
}

template <class T>
    requires(!std::is_array_v<T>)
[[nodiscard]] shared_ptr<T> make_shared() {
    return detail::make_object<T, atomic_count, detail::lifetime::by_language>(
        detail::default_allocator());
}
template <class T, class First, class... Rest>
    requires(!std::is_array_v<T> && detail::no_count<First>)
[[nodiscard]] shared_ptr<T> make_shared(First&& first, Rest&&... rest) {
    return detail::make_object<T, atomic_count, detail::lifetime::by_language>(
        detail::default_allocator(), static_cast<First&&>(first), static_cast<Rest&&>(rest)...);
}
template <class T, weakable_reference_count Count, class... Args>
    requires(!std::is_array_v<T>)
[[nodiscard]] detail::shared_ptr_of<T, Count> make_shared(Args&&... args) {
    return detail::make_object<T, Count, detail::lifetime::by_language>(
        detail::default_allocator(), static_cast<Args&&>(args)...);
}
template <class T, weakable_reference_count Count = atomic_count>
    requires std::is_unbounded_array_v<T>
[[nodiscard]] shared_ptr<T, Count> make_shared(std::size_t length) {
    return detail::make_array<T, Count, detail::lifetime::by_language>(detail::default_allocator(),
                                                                       length);
}
template <class T, weakable_reference_count Count = atomic_count>
    requires std::is_unbounded_array_v<T>
[[nodiscard]] shared_ptr<T, Count> make_shared(std::size_t length,
                                               const std::remove_extent_t<T>& value) {
    return detail::make_array<T, Count, detail::lifetime::by_language>(detail::default_allocator(),
                                                                       length, value);
}
template <class T, weakable_reference_count Count = atomic_count>
    requires std::is_bounded_array_v<T>
[[nodiscard]] shared_ptr<T, Count> make_shared() {
    return detail::make_array<T, Count, detail::lifetime::by_language>(detail::default_allocator(),
                                                                       std::extent_v<T>);
}
template <class T, weakable_reference_count Count = atomic_count>
    requires std::is_bounded_array_v<T>
[[nodiscard]] shared_ptr<T, Count> make_shared(const std::remove_extent_t<T>& value) {
    return detail::make_array<T, Count, detail::lifetime::by_language>(detail::default_allocator(),
                                                                       std::extent_v<T>, value);
}

template <class T, weakable_reference_count Count = atomic_count>
    requires(!std::is_array_v<T>)
[[nodiscard]] shared_ptr<T, Count> make_shared_for_overwrite() {
    return detail::make_object<T, Count, detail::lifetime::by_language>(detail::default_allocator(),
                                                                        detail::for_overwrite());
}
template <class T, weakable_reference_count Count = atomic_count>
    requires std::is_unbounded_array_v<T>
[[nodiscard]] shared_ptr<T, Count> make_shared_for_overwrite(std::size_t length) {
    return detail::make_array<T, Count, detail::lifetime::by_language>(
        detail::default_allocator(), length, detail::for_overwrite());
}
template <class T, weakable_reference_count Count = atomic_count>
    requires std::is_bounded_array_v<T>
[[nodiscard]] shared_ptr<T, Count> make_shared_for_overwrite() {
    return detail::make_array<T, Count, detail::lifetime::by_language>(
        detail::default_allocator(), std::extent_v<T>, detail::for_overwrite());
}

template <class T, class Allocator>
    requires(!std::is_array_v<T> && detail::no_count<Allocator>)
[[nodiscard, FREEHOLD_INLINED]] inline shared_ptr<T> allocate_shared(const Allocator& allocator) {
    return detail::make_object<T, atomic_count, detail::lifetime::by_allocator>(allocator);
}
template <class T, class Allocator, class First, class... Rest>
    requires(!std::is_array_v<T> && detail::no_count<Allocator>)
[[nodiscard, FREEHOLD_INLINED]] inline shared_ptr<T> allocate_shared(const Allocator& allocator,
                                                                     First&& first,
                                                                     Rest&&... rest) {
    return detail::make_object<T, atomic_count, detail::lifetime::by_allocator>(
        allocator, static_cast<First&&>(first), static_cast<Rest&&>(rest)...);
}
template <class T, weakable_reference_count Count, class Allocator, class... Args>
    requires(!std::is_array_v<T>)
[[nodiscard, FREEHOLD_INLINED]] inline detail::shared_ptr_of<T, Count> allocate_shared(
    const Allocator& allocator, Args&&... args) {
    return detail::make_object<T, Count, detail::lifetime::by_allocator>(
        allocator, static_cast<Args&&>(args)...);
}
template <class T, weakable_reference_count Count = atomic_count, class Allocator>
    requires std::is_unbounded_array_v<T>
[[nodiscard]] shared_ptr<T, Count> allocate_shared(const Allocator& allocator, std::size_t length) {
    return detail::make_array<T, Count, detail::lifetime::by_allocator>(allocator, length);
}
template <class T, weakable_reference_count Count = atomic_count, class Allocator>
    requires std::is_unbounded_array_v<T>
[[nodiscard]] shared_ptr<T, Count> allocate_shared(const Allocator& allocator, std::size_t length,
                                                   const std::remove_extent_t<T>& value) {
    return detail::make_array<T, Count, detail::lifetime::by_allocator>(allocator, length, value);
}
template <class T, weakable_reference_count Count = atomic_count, class Allocator>
    requires std::is_bounded_array_v<T>
[[nodiscard]] shared_ptr<T, Count> allocate_shared(const Allocator& allocator) {
    return detail::make_array<T, Count, detail::lifetime::by_allocator>(allocator,
                                                                        std::extent_v<T>);
}
template <class T, weakable_reference_count Count = atomic_count, class Allocator>
    requires std::is_bounded_array_v<T>
[[nodiscard]] shared_ptr<T, Count> allocate_shared(const Allocator& allocator,
                                                   const std::remove_extent_t<T>& value) {
    return detail::make_array<T, Count, detail::lifetime::by_allocator>(allocator, std::extent_v<T>,
                                                                        value);
}

template <class T, weakable_reference_count Count = atomic_count, class Allocator>
    requires(!std::is_array_v<T>)
[[nodiscard, FREEHOLD_INLINED]] inline shared_ptr<T, Count> allocate_shared_for_overwrite(
    const Allocator& allocator) {
    return detail::make_object<T, Count, detail::lifetime::by_language>(allocator,
                                                                        detail::for_overwrite());
}
template <class T, weakable_reference_count Count = atomic_count, class Allocator>
    requires std::is_unbounded_array_v<T>
[[nodiscard]] shared_ptr<T, Count> allocate_shared_for_overwrite(const Allocator& allocator,
                                                                 std::size_t length) {
    return detail::make_array<T, Count, detail::lifetime::by_language>(allocator, length,
                                                                       detail::for_overwrite());
}
template <class T, weakable_reference_count Count = atomic_count, class Allocator>
    requires std::is_bounded_array_v<T>
[[nodiscard]] shared_ptr<T, Count> allocate_shared_for_overwrite(const Allocator& allocator) {
    return detail::make_array<T, Count, detail::lifetime::by_language>(allocator, std::extent_v<T>,
                                                                       detail::for_overwrite());
}

}  // namespace freehold::inline FREEHOLD_ABI
