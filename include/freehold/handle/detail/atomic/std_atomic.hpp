// SPDX-License-Identifier: BSL-1.0
// What it is: std::atomic of shared_ptr and of weak_ptr. ../atomic_shared_ptr.hpp states what they
// promise.
#pragma once

#include <freehold/detail/atomic.hpp>
#include <freehold/handle/detail/atomic/atomic_handle.hpp>
#include <freehold/handle/detail/shared/shared_ptr_class.hpp>
#include <freehold/handle/detail/shared/weak_ptr.hpp>
#include <freehold/handle/snapshot_ptr.hpp>

template <class T, class Count>
struct std::atomic<freehold::shared_ptr<T, Count>>
    : freehold::detail::atomic_handle<freehold::shared_ptr<T, Count>> {
    using freehold::detail::atomic_handle<freehold::shared_ptr<T, Count>>::atomic_handle;
    using freehold::detail::atomic_handle<freehold::shared_ptr<T, Count>>::operator=;
};

template <class T, class Count>
struct std::atomic<freehold::weak_ptr<T, Count>>
    : freehold::detail::atomic_handle<freehold::weak_ptr<T, Count>> {
    using freehold::detail::atomic_handle<freehold::weak_ptr<T, Count>>::atomic_handle;
    using freehold::detail::atomic_handle<freehold::weak_ptr<T, Count>>::operator=;
};
