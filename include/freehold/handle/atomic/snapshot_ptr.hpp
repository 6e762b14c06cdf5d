// SPDX-License-Identifier: BSL-1.0
// snapshot_ptr: what an atomic pointer held at one moment, kept alive without counting.
//
//     const auto now = routes.snapshot();    // routes: atomic_arc<const routing_table>
//     if (now) forward(now->find(address));
//
// Use it to read; take an owner (`load`, or the conversion to a handle) for what is kept for long
// or by many. It is pointer-like, movable and null by default. It protects the object as an owner
// does: the object's destructor runs when the last owner and the last snapshot are gone, on the
// thread that released the last of them.
//
// A snapshot may be held as long as one likes, across loads and stores of the same atomic, after
// that was destroyed, in a member, and beyond the end of the thread that took it. Another thread
// may use and release it. A child made by fork has its own, as of all the process's memory. An
// object that holds a snapshot of itself is never destroyed, as one that holds an owner of itself.
//
// A thread has room for 8 snapshots at a time. Further ones count, as an owner does; so do those of
// a thread that is destroying its thread-local variables, and those for which no memory could be
// had. use_count() does not see snapshots that do not count.
//
// Costs two words, three of a shared_ptr. Taking and releasing one are seven loads and three plain
// stores, 1.5 ns in all on an EPYC, if none of the process's atomic pointers was stored to lately,
// and else two locked instructions.
// Thread-safety: as a handle's. One snapshot may be used by one thread at a time.
// Exceptions: none. Wait-free.
#pragma once

#include <freehold/count/back_off.hpp>
#include <freehold/handle/atomic/kept_handle.hpp>
#include <freehold/handle/handle_operators.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace freehold::inline FREEHOLD_ABI {

namespace detail {
template <class Handle>
class atomic_handle;
}  // namespace detail

template <class Handle>
class snapshot_ptr {
    using kept = detail::kept_handle<Handle>;
    using debt = detail::debt_platform::debt;

public:
    using element_type = typename Handle::element_type;
    using owner_type = Handle;

    constexpr snapshot_ptr() noexcept = default;
    constexpr snapshot_ptr(std::nullptr_t) noexcept {}
    [[FREEHOLD_INLINED]] snapshot_ptr(snapshot_ptr&& other) noexcept
        : words_(other.words_), debt_(other.debt_) {
        other.words_ = {};
        other.debt_ = nullptr;
    }
    [[FREEHOLD_INLINED]] ~snapshot_ptr() { let_go(words_, debt_); }
    snapshot_ptr& operator=(snapshot_ptr&& other) noexcept {
        snapshot_ptr(std::move(other)).swap(*this);
        return *this;
    }

    void reset() noexcept { snapshot_ptr().swap(*this); }
    void swap(snapshot_ptr& other) noexcept {
        std::swap(words_, other.words_);
        std::swap(debt_, other.debt_);
    }

    [[nodiscard]] element_type* get() const noexcept { return kept::pointer(words_); }
    template <class U = element_type>
        requires(!std::is_void_v<U>)
    [[nodiscard]] U& operator*() const noexcept {
        return *get();
    }
    [[nodiscard]] element_type* operator->() const noexcept { return get(); }
    // Of arrays.
    template <class U = element_type>
        requires requires(const Handle& owner) { owner[0]; }
    [[nodiscard]] U& operator[](std::ptrdiff_t i) const noexcept {
        return get()[i];
    }
    [[nodiscard]] explicit operator bool() const noexcept { return get() != nullptr; }

    // An owner of the same.
    operator Handle() const& noexcept {
        if (!is_null(words_)) add(key_of(words_));
        return kept::own(words_);
    }
    operator Handle() && noexcept {
        debt* const owed = std::exchange(debt_, nullptr);
        const words taken = std::exchange(words_, words{});
        return owner_instead(taken, owed);
    }

private:
    template <class H>
    friend class detail::atomic_handle;
    using words = typename kept::place::words;

    explicit snapshot_ptr(
        detail::basic_reading<detail::debt_platform, typename kept::place> reading) noexcept
        : words_(reading.words), debt_(reading.debt) {}

    [[nodiscard]] static detail::debt_key key_of(words of) noexcept {
        return kept::key_of(kept::place::word_of(of));
    }

    [[nodiscard]] static bool is_null(words of) noexcept { return kept::place::word_of(of) == 0; }

    [[FREEHOLD_INLINED]] static void let_go(words held, debt* owed) noexcept {
        if (owed != nullptr) {
            if (!detail::end(*owed, key_of(held))) return;
        } else if (is_null(held)) {
            return;
        }
        give_up(held);
    }
    // As load() does.
    [[FREEHOLD_INLINED]] static void add(detail::debt_key key) noexcept {
        if (!kept::add_unless_disturbed(key)) [[unlikely]]
            add_after_a_while(key);
    }
    [[gnu::noinline, gnu::cold]] static void add_after_a_while(detail::debt_key key) noexcept {
        detail::back_off();
        kept::add(key);
    }
    [[gnu::noinline]] static void give_up(words held) noexcept { kept::give_up(key_of(held)); }

    // What the words protect, with a count in place of a debt.
    [[nodiscard, FREEHOLD_INLINED]] static Handle owner_instead(words held, debt* owed) noexcept {
        if (owed != nullptr) {
            if (!is_null(held)) add(key_of(held));
            if (detail::end(*owed, key_of(held))) [[unlikely]]
                give_up(held);
        }
        return kept::own(held);
    }

    words words_{};
    // Null if there is nothing, or a count is owned.
    debt* debt_ = nullptr;
};

namespace detail {

struct snapshot_family;
template <class Handle>
struct handle_family<snapshot_ptr<Handle>> {
    using type = snapshot_family;
};

}  // namespace detail
}  // namespace freehold::inline FREEHOLD_ABI
