// SPDX-License-Identifier: BSL-1.0
// What it is: the common base of all atomic pointers. ../atomic_arc.hpp and
// ../atomic_shared_ptr.hpp state what they promise.
#pragma once

#include <freehold/detail/contention_pause.hpp>
#include <freehold/fwd.hpp>
#include <freehold/handle/detail/atomic/debt_platform.hpp>
#include <freehold/handle/detail/atomic/kept_handle.hpp>
#include <freehold/handle/detail/atomic/notifications.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace freehold::inline FREEHOLD_ABI {

namespace detail {

// A place shares out the object that it owns, and gathers it when it gives it up. With other
// counts, and for weak references, nothing is done.
template <class Handle>
struct sharing {
    using kept = kept_handle<Handle>;
    using words = typename kept::place::words;
    static constexpr bool is_on = requires(control_block<typename Handle::count_type> & counts) {
                                      kept::pointer(words{});
                                      counts.share_out();
                                  };

    // Before the place has the handle: another thread gathers as soon as it has replaced it.
    static void share_out(words owner) noexcept {
        if constexpr (is_on) {
            if (kept::place::word_of(owner) != 0) counts(owner)->share_out();
        }
    }
    // The caller has the owner.
    static void gather(words owner) noexcept {
        if constexpr (is_on) {
            if (kept::place::word_of(owner) != 0) counts(owner)->gather();
        }
    }

private:
    static auto* counts(words owner) noexcept {
        return counts_of<typename Handle::count_type>(kept::key_of(kept::place::word_of(owner)));
    }
};

// What atomic_arc and atomic_shared_ptr share.
template <class Handle>
class atomic_handle {
    static_assert(Handle::count_type::is_thread_safe,
                  "an atomic handle is for several threads, which this handle's count is not; "
                  "count with atomic_count or biased_count");
    using kept = kept_handle<Handle>;
    using words = typename kept::place::words;
    using shares = sharing<Handle>;
    static constexpr bool can_be_null = std::constructible_from<Handle, std::nullptr_t>;

public:
    // The handle that the atomic holds.
    using value_type = Handle;
    // Loads and snapshots are lock-free; what stores waits for other stores.
    static constexpr bool is_always_lock_free = false;
    [[nodiscard]] bool is_lock_free() const noexcept { return is_always_lock_free; }

    // Starts null, or with a handle.
    constexpr atomic_handle() noexcept : place_(words{}) {}
    constexpr atomic_handle(std::nullptr_t) noexcept
        requires can_be_null
        : place_(words{}) {}
    atomic_handle(Handle desired) noexcept : place_(kept::take(desired)) {
        if constexpr (shares::is_on) shares::share_out(place_.load());
    }
    atomic_handle(const atomic_handle&) = delete;
    atomic_handle& operator=(const atomic_handle&) = delete;
    // Releases the value. Snapshots of it stay valid.
    ~atomic_handle() {
        const words last = place_.load();
        if (kept::place::word_of(last) == 0) return;
        const debt_key key = kept::key_of(kept::place::word_of(last));
        debt_platform::pay_all(key, kept::calls);
        shares::gather(last);
        kept::give_up(key);
    }

    // As store.
    void operator=(Handle desired) noexcept { store(std::move(desired)); }
    void operator=(std::nullptr_t) noexcept
        requires can_be_null
    {
        store(Handle());
    }
    // As load.
    operator Handle() const noexcept { return load(); }

    // Returns an owner of the present value.
    [[nodiscard]] Handle load(std::memory_order = std::memory_order_seq_cst) const noexcept {
        const auto [read, owed] = protect<debt_platform, kept>(place_);
        if (owed != nullptr) {
            const std::uintptr_t word = kept::place::word_of(read);
            const debt_key key = kept::key_of(word);
            if (word != 0 && !kept::add_unless_disturbed(key)) [[unlikely]]
                return own_after_a_while(read, *owed);
            if (end(*owed, key)) [[unlikely]]
                give_up_another(key);
        }
        return kept::own(read);
    }

    // Protects the present value without counting it.
    template <class Snapshot = snapshot_ptr<Handle>>
    [[nodiscard, FREEHOLD_INLINED]] Snapshot snapshot() const noexcept
        requires requires { kept::pointer(words{}); }
    {
        return Snapshot(protect<debt_platform, kept>(place_));
    }

    // Replaces the value and releases the old one.
    void store(Handle desired, std::memory_order = std::memory_order_seq_cst) noexcept {
        exchange(std::move(desired));
    }

    // Replaces the value and returns the old one.
    Handle exchange(Handle desired, std::memory_order = std::memory_order_seq_cst) noexcept {
        shares::share_out(kept::words(desired));
        const words former = debt_platform::replace(place_, kept::take(desired), kept::calls);
        shares::gather(former);
        return kept::own(former);
    }

    // Handles are equivalent if they point to the same object and share ownership, or are both
    // empty.
    bool compare_exchange_strong(Handle& expected, Handle desired, std::memory_order,
                                 std::memory_order) noexcept {
        return replace_if(expected, desired);
    }
    bool compare_exchange_strong(Handle& expected, Handle desired,
                                 std::memory_order = std::memory_order_seq_cst) noexcept {
        return replace_if(expected, desired);
    }
    bool compare_exchange_weak(Handle& expected, Handle desired, std::memory_order,
                               std::memory_order) noexcept {
        return replace_if(expected, desired);
    }
    bool compare_exchange_weak(Handle& expected, Handle desired,
                               std::memory_order = std::memory_order_seq_cst) noexcept {
        return replace_if(expected, desired);
    }

    // Replaces the value by the result of f(const snapshot_ptr<Handle>&), which gets the present
    // value. Calls `f` again if another thread has stored meanwhile; a store by `f` itself counts
    // as such a store. Returns the former value. If `f` throws, the value stays, and the exception
    // is passed on.
    template <class F, class Snapshot = snapshot_ptr<Handle>>
        requires std::is_invocable_r_v<Handle, F&, const Snapshot&>
    Handle update(F f) {
        for (;;) {
            Snapshot seen = snapshot();
            Handle desired = f(std::as_const(seen));
            const words former = seen.words_;
            debt_platform::debt* protecting = seen.debt_;
            shares::share_out(kept::words(desired));
            if (debt_platform::replace_protected(place_, former, kept::words(desired), kept::calls,
                                                 protecting)) {
                kept::take(desired);
                if (protecting != seen.debt_) seen.forget();
                shares::gather(former);
                return kept::own(former);
            }
            shares::gather(kept::words(desired));
        }
    }

    // Blocks the calling thread until the value is no longer equivalent to `old`.
    void wait(Handle old, std::memory_order = std::memory_order_seq_cst) const noexcept {
        wait_while(this, [&] { return kept::words(load()) == kept::words(old); });
    }
    // Wakes all threads. If it woke one, that might be a thread that waits for the next store,
    // while the thread that waits for this one sleeps on.
    void notify_one() noexcept { notify_all_of(this); }
    void notify_all() noexcept { notify_all_of(this); }

private:
    // Another thread counts the same object. If that thread reads, this function lets it do so some
    // hundred times: each transfer of the count's cache line between the threads takes as long as
    // several loads. A writer that has replaced the object counts it once. This function does not
    // wait for a writer.
    [[nodiscard, gnu::noinline, gnu::cold]] Handle own_after_a_while(
        words read, debt_platform::debt& owed) const noexcept {
        const std::uintptr_t word = kept::place::word_of(read);
        const debt_key key = kept::key_of(word);
        // relaxed: only the choice to wait depends on this load.
        if (place_.load_word(std::memory_order_relaxed) == word) contention_pause();
        kept::add(key);
        if (debt_platform::end_slowly(owed, key)) give_up_another(key);
        return kept::own(read);
    }
    [[gnu::noinline, gnu::cold]] static void give_up_another(debt_key key) noexcept {
        kept::give_up(key);
    }

    bool replace_if(Handle& expected, Handle& desired) noexcept {
        const words compared = kept::words(expected);
        // relaxed: the load only tells whether the writers' lock is worth taking.
        if (place_.load_word(std::memory_order_relaxed) != kept::place::word_of(compared)) {
            Handle found = load();
            if (kept::words(found) != compared) {
                expected = std::move(found);
                return false;
            }
        }
        shares::share_out(kept::words(desired));
        const words present =
            debt_platform::replace_if(place_, compared, kept::words(desired), kept::calls);
        Handle found = kept::own(present);
        if (present == compared) {
            kept::take(desired);
            shares::gather(present);
            return true;
        }
        shares::gather(kept::words(desired));
        expected = std::move(found);
        return false;
    }

    typename kept::place place_;
};

}  // namespace detail
}  // namespace freehold::inline FREEHOLD_ABI
