// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <freehold/config.hpp>
#include <freehold/handle/arc.hpp>

namespace freehold::inline FREEHOLD_ABI::detail {

// One more owner of an object that others own: by an arc, or by an opaque_arc of a public header.
template <class T>
[[nodiscard]] arc<T> owner_of(T* object) noexcept {
    arc<T> borrowed = arc_access::own<T, atomic_count, default_allocator>(object);
    arc<T> made = borrowed;
    static_cast<void>(arc_access::disown(borrowed));
    return made;
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
