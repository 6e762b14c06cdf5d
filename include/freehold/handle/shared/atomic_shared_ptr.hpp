// SPDX-License-Identifier: BSL-1.0
// std::atomic of shared_ptr and of weak_ptr: one handle that several threads read and replace.
//
// Costs three words. A load is a handle's copy and a lock around it, which is one locked
// instruction and a plain store; a store is a lock around a swap. Not lock-free: a thread may wait
// for another to copy or swap a handle, never for an object's destructor, which runs after the lock
// was given back. Waiters sleep until they are notified.
// Thread-safe, and sequentially consistent whatever weaker order is asked for. Does not throw.
//
// The lock stands beside the handle rather than in a spare bit of it, and waiters sleep on a number
// that notifying changes, rather than on the address of the counts: a store that keeps the counts
// and replaces the pointer alone must wake them too.
#pragma once

#include <freehold/handle/shared/shared_ptr.hpp>
#include <freehold/handle/shared/weak_ptr.hpp>
#include <freehold/memory/spin_lock.hpp>

#include <atomic>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace freehold::inline FREEHOLD_ABI::detail {

template <class Handle>
class atomic_handle;

}  // namespace freehold::inline FREEHOLD_ABI::detail

namespace freehold::inline FREEHOLD_ABI {

// Protects what an atomic pointer held when snapshot() was called, as an owner would, without
// counting. Pointer-like, movable, null by default; converts to an owning handle.
template <class Handle>
class snapshot_ptr {
public:
    using element_type = typename Handle::element_type;
    using owner_type = Handle;

    constexpr snapshot_ptr() noexcept = default;
    constexpr snapshot_ptr(std::nullptr_t) noexcept {}
    snapshot_ptr(snapshot_ptr&& other) noexcept : owner_(std::move(other.owner_)) {}
    snapshot_ptr& operator=(snapshot_ptr&& other) noexcept {
        owner_ = std::move(other.owner_);
        return *this;
    }

    void reset() noexcept { owner_.reset(); }
    void swap(snapshot_ptr& other) noexcept { owner_.swap(other.owner_); }

    [[nodiscard]] element_type* get() const noexcept { return owner_.get(); }
    [[nodiscard]] decltype(auto) operator*() const noexcept { return *owner_; }
    [[nodiscard]] element_type* operator->() const noexcept { return owner_.get(); }
    template <class Index>
    [[nodiscard]] decltype(auto) operator[](Index i) const noexcept
        requires requires(const Handle& owner) { owner[i]; }
    {
        return owner_[i];
    }
    [[nodiscard]] explicit operator bool() const noexcept { return get() != nullptr; }

    // An owner of the same object.
    operator Handle() const& noexcept { return owner_; }
    operator Handle() && noexcept { return std::move(owner_); }

private:
    template <class H>
    friend class detail::atomic_handle;
    explicit snapshot_ptr(Handle owner) noexcept : owner_(std::move(owner)) {}

    Handle owner_;
};

namespace detail {

struct snapshot_family;
template <class Handle>
struct handle_family<snapshot_ptr<Handle>> {
    using type = snapshot_family;
};

}  // namespace detail
}  // namespace freehold::inline FREEHOLD_ABI

namespace freehold::inline FREEHOLD_ABI::detail {

template <class Handle>
class atomic_handle {
    static_assert(Handle::count_type::is_thread_safe,
                  "an atomic handle is for several threads, which this handle's count is not; "
                  "count with atomic_count or biased_count");

public:
    using value_type = Handle;
    static constexpr bool is_always_lock_free = false;

    constexpr atomic_handle() noexcept = default;
    constexpr atomic_handle(std::nullptr_t) noexcept
        requires std::constructible_from<Handle, std::nullptr_t>
    {}
    atomic_handle(Handle desired) noexcept : handle_(std::move(desired)) {}
    atomic_handle(const atomic_handle&) = delete;
    atomic_handle& operator=(const atomic_handle&) = delete;

    void operator=(Handle desired) noexcept { store(std::move(desired)); }
    void operator=(std::nullptr_t) noexcept
        requires std::constructible_from<Handle, std::nullptr_t>
    {
        store(Handle());
    }
    operator Handle() const noexcept { return load(); }

    [[nodiscard]] bool is_lock_free() const noexcept { return false; }

    [[nodiscard]] Handle load(std::memory_order = std::memory_order_seq_cst) const noexcept {
        const spin_guard section(lock_);
        return handle_;
    }

    // Protects the current value without counting it.
    [[nodiscard]] snapshot_ptr<Handle> snapshot() const noexcept
        requires requires(const Handle& h) { h.get(); }
    {
        return snapshot_ptr<Handle>(load());
    }

    // Replaces the value by what `f` makes of it: calls f(const snapshot_ptr<Handle>&) and stores
    // the Handle that it returns, and starts over if another thread has stored meanwhile. Returns
    // the value that was replaced. What `f` throws leaves the value as it is.
    template <class F>
        requires std::is_invocable_r_v<Handle, F&, const snapshot_ptr<Handle>&>
    Handle update(F f) {
        for (;;) {
            const snapshot_ptr<Handle> seen = snapshot();
            Handle expected = seen;
            if (compare_exchange_strong(expected, f(seen))) return expected;
        }
    }

    void store(Handle desired, std::memory_order = std::memory_order_seq_cst) noexcept {
        replace(desired);
    }

    Handle exchange(Handle desired, std::memory_order = std::memory_order_seq_cst) noexcept {
        replace(desired);
        return desired;
    }

    // Handles are equivalent if they point to the same and share ownership, or are both empty.
    bool compare_exchange_strong(Handle& expected, Handle desired, std::memory_order,
                                 std::memory_order) noexcept {
        return replace_if(expected, std::move(desired));
    }
    bool compare_exchange_strong(Handle& expected, Handle desired,
                                 std::memory_order = std::memory_order_seq_cst) noexcept {
        return replace_if(expected, std::move(desired));
    }
    bool compare_exchange_weak(Handle& expected, Handle desired, std::memory_order,
                               std::memory_order) noexcept {
        return replace_if(expected, std::move(desired));
    }
    bool compare_exchange_weak(Handle& expected, Handle desired,
                               std::memory_order = std::memory_order_seq_cst) noexcept {
        return replace_if(expected, std::move(desired));
    }

    void wait(Handle old, std::memory_order = std::memory_order_seq_cst) const noexcept {
        for (;;) {
            // acquire: who sees a notification sees the store before it. Read before the handle: a
            // notification in between has changed the number by the time that it is waited on.
            const std::uint32_t seen = notifications_.load(std::memory_order_acquire);
            if (!holds(old)) return;
            // relaxed: what is acted upon is read above.
            notifications_.wait(seen, std::memory_order_relaxed);
        }
    }
    // Wakes all: one alone might be a thread that waits for the next store, while another goes on
    // sleeping that waits for this one.
    void notify_one() noexcept { notify_all(); }
    void notify_all() noexcept {
        // release: pairs with the acquire in wait.
        notifications_.fetch_add(1, std::memory_order_release);
        notifications_.notify_all();
    }

private:
    [[nodiscard]] static bool equal(const Handle& a, const Handle& b) noexcept {
        if constexpr (requires { shared_access::equivalent(a, b); }) {
            return shared_access::equivalent(a, b);
        } else {
            return a.get() == b.get();
        }
    }
    [[nodiscard]] bool holds(const Handle& other) const noexcept {
        const spin_guard section(lock_);
        return equal(handle_, other);
    }

    void replace(Handle& other) noexcept {
        const spin_guard section(lock_);
        handle_.swap(other);
    }

    bool replace_if(Handle& expected, Handle desired) noexcept {
        Handle found;
        {
            const spin_guard section(lock_);
            if (equal(handle_, expected)) {
                handle_.swap(desired);
                return true;
            }
            found = handle_;
        }
        expected = std::move(found);
        return false;
    }

    Handle handle_;
    mutable spin_lock lock_;
    std::atomic<std::uint32_t> notifications_{0};
};

}  // namespace freehold::inline FREEHOLD_ABI::detail

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
