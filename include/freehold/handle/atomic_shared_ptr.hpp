// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <freehold/handle/shared_ptr.hpp>

namespace freehold::inline FREEHOLD_ABI {

template <class T, class Count = atomic_count>
class atomic_shared_ptr : public detail::atomic_handle<shared_ptr<T, Count>> {
public:
    using detail::atomic_handle<shared_ptr<T, Count>>::atomic_handle;
    using detail::atomic_handle<shared_ptr<T, Count>>::operator=;
};

}  // namespace freehold::inline FREEHOLD_ABI
