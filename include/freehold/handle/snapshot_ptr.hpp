// SPDX-License-Identifier: BSL-1.0
// What it is: snapshot_ptr, the value that an atomic pointer held at one moment. It keeps the
// object alive without counting.
// When to use it: to read an object. atomic_arc::snapshot and atomic_shared_ptr::snapshot return
// it.
// When not: for an object that is kept for long or by many. Take an owner (`load`, or the
// conversion to a handle).
// Example:
//     const auto now = routes.snapshot();    // routes: atomic_arc<const routing_table>
//     if (now) forward(now->find(address));
//
// A snapshot is movable and null by default. It protects the object as an owner does: the object's
// destructor runs when the last owner and the last snapshot are gone, on the thread that released
// the last of them. A program may hold a snapshot for any time: across loads and stores of the same
// atomic, after that atomic is destroyed, in a member, and beyond the end of the thread that took
// it. Another thread may use and release it. A child made by fork has its own copy, as of all
// memory of the process. An object that holds a snapshot of itself is never destroyed, as with an
// owner of itself.
//
// A thread has room for 8 snapshots at a time. Further snapshots count, as an owner does. Snapshots
// of a thread that is destroying its thread-local variables also count, and so do those for which
// there was no memory. use_count() does not include snapshots that do not count.
//
// Units: a snapshot is two words, or three if it is of a shared_ptr.
// Complexity: taking and releasing a snapshot takes seven loads and three plain stores, 1.5 ns on
// an EPYC, if no atomic pointer of the process was stored to lately. Otherwise it takes two locked
// instructions. It is wait-free; atomic_arc.hpp and atomic_shared_ptr.hpp name the exceptions.
// Thread safety: as a handle's. One thread at a time may use a snapshot.
// Exceptions: none.
// Ownership: see above. The conversion to a handle gives an owner.
// Source: see atomic/debts.hpp.
#pragma once

#include <freehold/detail/contention_pause.hpp>
#include <freehold/handle/detail/atomic/kept_handle.hpp>
#include <freehold/handle/detail/handle_operators.hpp>

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
    // The handle that the atomic holds.
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
    // For arrays.
    template <class U = element_type>
        requires requires(const Handle& owner) { owner[0]; }
    [[nodiscard]] U& operator[](std::ptrdiff_t i) const noexcept {
        return get()[i];
    }
    [[nodiscard]] explicit operator bool() const noexcept { return get() != nullptr; }

    // Returns an owner of the same object.
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
    // The debt has ended.
    void forget() noexcept {
        words_ = {};
        debt_ = nullptr;
    }
    // As load() does.
    [[FREEHOLD_INLINED]] static void add(detail::debt_key key) noexcept {
        if (!kept::add_unless_disturbed(key)) [[unlikely]]
            add_after_a_while(key);
    }
    [[gnu::noinline, gnu::cold]] static void add_after_a_while(detail::debt_key key) noexcept {
        detail::contention_pause();
        kept::add(key);
    }
    [[gnu::noinline]] static void give_up(words held) noexcept { kept::give_up(key_of(held)); }

    // Returns an owner of what the words protect: adds a count and ends the debt.
    [[nodiscard, FREEHOLD_INLINED]] static Handle owner_instead(words held, debt* owed) noexcept {
        if (owed != nullptr) {
            if (!is_null(held)) add(key_of(held));
            if (detail::end(*owed, key_of(held))) [[unlikely]]
                give_up(held);
        }
        return kept::own(held);
    }

    words words_{};
    // Null if the snapshot is null or owns a count.
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
