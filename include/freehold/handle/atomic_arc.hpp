// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <freehold/handle/arc.hpp>
#include <freehold/handle/shared/atomic_shared_ptr.hpp>

namespace freehold::inline FREEHOLD_ABI {

template <class T, class Count = atomic_count, class Allocator = detail::default_allocator>
class atomic_arc : public detail::atomic_handle<arc<T, Count, Allocator>> {
public:
    using detail::atomic_handle<arc<T, Count, Allocator>>::atomic_handle;
    using detail::atomic_handle<arc<T, Count, Allocator>>::operator=;
};

}  // namespace freehold::inline FREEHOLD_ABI
