// SPDX-License-Identifier: BSL-1.0
// What it is: make_arc and allocate_arc, which make an object or an array in one block with its
// counts.
//
// make_arc takes the block from the common_pool of its size (arrays and large objects from operator
// new). allocate_arc takes it from a copy of its allocator. The allocator is part of the arc's
// type, and the block keeps it if it has state. The forms `_for_overwrite` do not zero objects
// without a constructor: these keep the memory's bytes.
// Exceptions: std::bad_alloc, std::bad_array_new_length for an array longer than memory, and what
// the objects' constructors throw. The constructed objects are destroyed and the memory is freed
// then.
//
// Functions that make one object with an allocator are inlined by force. With a call for each, a
// thread that makes packets in memory that another core has written takes 34 ns instead of 21 on a
// Zen 4. The presumed reason: the stores of a call take places in the queue of stores that wait for
// such memory.
#pragma once

#include <freehold/handle/detail/arc/arc_class.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace freehold::inline FREEHOLD_ABI {
namespace detail {

template <class T, class Count, class Allocator, class... Args>
[[FREEHOLD_INLINED]] inline arc<T, Count, Allocator> make_arc_in(const Allocator& allocator,
                                                                 Args&&... args) {
    using block = typename arc_block_of<std::remove_cv_t<T>, Count, Allocator>::made;
    return arc_access::own<T, Count, Allocator>(
        block::make(allocator, static_cast<Args&&>(args)...));
}

}  // namespace detail

// Makes an object, or an array of `length` elements, and its counts in one block. Elements are
// value-initialised, or copies of `value`. Throws what the allocation and the constructors throw.
template <class T, weakable_reference_count Count = atomic_count, class... Args>
    requires(!std::is_array_v<T>)
[[nodiscard]] arc<T, Count> make_arc(Args&&... args) {
    return detail::make_arc_in<T, Count>(detail::default_allocator(), static_cast<Args&&>(args)...);
}
template <class T, weakable_reference_count Count = atomic_count>
    requires std::is_unbounded_array_v<T>
[[nodiscard]] arc<T, Count> make_arc(std::size_t length) {
    return detail::make_arc_in<T, Count>(detail::default_allocator(), length);
}
template <class T, weakable_reference_count Count = atomic_count>
    requires std::is_unbounded_array_v<T>
[[nodiscard]] arc<T, Count> make_arc(std::size_t length, const std::remove_extent_t<T>& value) {
    return detail::make_arc_in<T, Count>(detail::default_allocator(), length, value);
}

// As make_arc, but the object or the elements are default-initialised: numbers are not zeroed.
template <class T, weakable_reference_count Count = atomic_count>
    requires(!std::is_array_v<T>)
[[nodiscard]] arc<T, Count> make_arc_for_overwrite() {
    return detail::make_arc_in<T, Count>(detail::default_allocator(), detail::for_overwrite());
}
template <class T, weakable_reference_count Count = atomic_count>
    requires std::is_unbounded_array_v<T>
[[nodiscard]] arc<T, Count> make_arc_for_overwrite(std::size_t length) {
    return detail::make_arc_in<T, Count>(detail::default_allocator(), length,
                                         detail::for_overwrite());
}

// As make_arc, with the block from `allocator`, of which the block keeps a copy.
template <class T, weakable_reference_count Count = atomic_count, class Allocator, class... Args>
    requires(!std::is_array_v<T>)
[[nodiscard,
  FREEHOLD_INLINED]] inline arc<T, Count, Allocator> allocate_arc(const Allocator& allocator,
                                                                  Args&&... args) {
    return detail::make_arc_in<T, Count>(allocator, static_cast<Args&&>(args)...);
}
template <class T, weakable_reference_count Count = atomic_count, class Allocator>
    requires std::is_unbounded_array_v<T>
[[nodiscard]] arc<T, Count, Allocator> allocate_arc(const Allocator& allocator,
                                                    std::size_t length) {
    return detail::make_arc_in<T, Count>(allocator, length);
}
template <class T, weakable_reference_count Count = atomic_count, class Allocator>
    requires std::is_unbounded_array_v<T>
[[nodiscard]] arc<T, Count, Allocator> allocate_arc(const Allocator& allocator, std::size_t length,
                                                    const std::remove_extent_t<T>& value) {
    return detail::make_arc_in<T, Count>(allocator, length, value);
}

// As make_arc_for_overwrite, with the block from `allocator`.
template <class T, weakable_reference_count Count = atomic_count, class Allocator>
    requires(!std::is_array_v<T>)
[[nodiscard, FREEHOLD_INLINED]] inline arc<T, Count, Allocator> allocate_arc_for_overwrite(
    const Allocator& allocator) {
    return detail::make_arc_in<T, Count>(allocator, detail::for_overwrite());
}
template <class T, weakable_reference_count Count = atomic_count, class Allocator>
    requires std::is_unbounded_array_v<T>
[[nodiscard]] arc<T, Count, Allocator> allocate_arc_for_overwrite(const Allocator& allocator,
                                                                  std::size_t length) {
    return detail::make_arc_in<T, Count>(allocator, length, detail::for_overwrite());
}

}  // namespace freehold::inline FREEHOLD_ABI
