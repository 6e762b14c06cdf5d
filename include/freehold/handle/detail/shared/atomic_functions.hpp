// SPDX-License-Identifier: BSL-1.0
// What it is: functions that treat an ordinary shared_ptr as an atomic one. C++20 deprecates them
// in favour of std::atomic<shared_ptr>; they are for older programs.
// Complexity: each operation takes a spin lock. There are 16 locks, which all handles share.
// Thread safety: sequentially consistent, even if a weaker order is requested. While a thread uses
// one of these functions on a handle, no thread may use the handle in another way.
// Exceptions: none.
#pragma once

#include <freehold/detail/atomic.hpp>
#include <freehold/detail/lock_holder.hpp>
#include <freehold/detail/spin_lock.hpp>
#include <freehold/handle/detail/shared/shared_ptr_class.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace freehold::inline FREEHOLD_ABI {
namespace detail {

struct alignas(64) lock_of_some_handles : spin_lock {};

[[nodiscard]] inline spin_lock& lock_of(const void* handle) noexcept {
    constexpr std::size_t count = 16;
    static constinit lock_of_some_handles locks[count];
    // Handles in a row, and at equal places in pages, have different locks.
    const auto address = reinterpret_cast<std::uintptr_t>(handle);
    return locks[(address / sizeof(shared_ptr<int>) ^ address / 4096) % count];
}

}  // namespace detail

template <class T, class Count>
[[nodiscard]] bool atomic_is_lock_free(const shared_ptr<T, Count>*) noexcept {
    return false;
}

template <class T, class Count>
[[nodiscard]] shared_ptr<T, Count> atomic_load_explicit(const shared_ptr<T, Count>* handle,
                                                        std::memory_order) noexcept {
    const detail::lock_holder section(detail::lock_of(handle));
    return *handle;
}
template <class T, class Count>
[[nodiscard]] shared_ptr<T, Count> atomic_load(const shared_ptr<T, Count>* handle) noexcept {
    return atomic_load_explicit(handle, std::memory_order_seq_cst);
}

template <class T, class Count>
shared_ptr<T, Count> atomic_exchange_explicit(shared_ptr<T, Count>* handle,
                                              shared_ptr<T, Count> desired,
                                              std::memory_order) noexcept {
    {
        const detail::lock_holder section(detail::lock_of(handle));
        handle->swap(desired);
    }
    return desired;
}
template <class T, class Count>
shared_ptr<T, Count> atomic_exchange(shared_ptr<T, Count>* handle,
                                     shared_ptr<T, Count> desired) noexcept {
    return atomic_exchange_explicit(handle, std::move(desired), std::memory_order_seq_cst);
}

template <class T, class Count>
void atomic_store_explicit(shared_ptr<T, Count>* handle, shared_ptr<T, Count> desired,
                           std::memory_order order) noexcept {
    atomic_exchange_explicit(handle, std::move(desired), order);
}
template <class T, class Count>
void atomic_store(shared_ptr<T, Count>* handle, shared_ptr<T, Count> desired) noexcept {
    atomic_exchange(handle, std::move(desired));
}

template <class T, class Count>
bool atomic_compare_exchange_strong_explicit(shared_ptr<T, Count>* handle,
                                             shared_ptr<T, Count>* expected,
                                             shared_ptr<T, Count> desired, std::memory_order,
                                             std::memory_order) noexcept {
    shared_ptr<T, Count> found;
    {
        const detail::lock_holder section(detail::lock_of(handle));
        if (detail::shared_access::equivalent(*handle, *expected)) {
            handle->swap(desired);
            return true;
        }
        found = *handle;
    }
    *expected = std::move(found);
    return false;
}
template <class T, class Count>
bool atomic_compare_exchange_strong(shared_ptr<T, Count>* handle, shared_ptr<T, Count>* expected,
                                    shared_ptr<T, Count> desired) noexcept {
    return atomic_compare_exchange_strong_explicit(
        handle, expected, std::move(desired), std::memory_order_seq_cst, std::memory_order_seq_cst);
}
template <class T, class Count>
bool atomic_compare_exchange_weak_explicit(shared_ptr<T, Count>* handle,
                                           shared_ptr<T, Count>* expected,
                                           shared_ptr<T, Count> desired, std::memory_order success,
                                           std::memory_order failure) noexcept {
    return atomic_compare_exchange_strong_explicit(handle, expected, std::move(desired), success,
                                                   failure);
}
template <class T, class Count>
bool atomic_compare_exchange_weak(shared_ptr<T, Count>* handle, shared_ptr<T, Count>* expected,
                                  shared_ptr<T, Count> desired) noexcept {
    return atomic_compare_exchange_strong(handle, expected, std::move(desired));
}

}  // namespace freehold::inline FREEHOLD_ABI
