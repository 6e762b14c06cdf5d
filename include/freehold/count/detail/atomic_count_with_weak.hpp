// SPDX-License-Identifier: BSL-1.0
// What it is: atomic_count with weak references.
//
// Units: 10 bytes. At the end of a block they take 16, unless the object fits behind them.
// Complexity: while the process has one thread, each operation is a plain load, an addition and a
// plain store (single_threaded.hpp says how the count finds out). After the first thread was
// started, a copy is one locked add. A release is one locked add. It is two plain loads and a plain
// store if no other handle exists and none was counted by a locked instruction. An object that is
// never shared thus costs no locked instruction. Locking a weak reference is one locked add and
// never a loop.
// Thread safety: several threads may use distinct owners and weak references at once. Signal
// handlers must not use the count.
// Exceptions: none. The count terminates the program on overflow, and if a handle is released or
// copied whose object has no owners. It detects this until the memory is reused: the word stays
// negative when the last handle is released. If two threads release one handle at the same moment,
// both may read that it is the only one. Only a locked instruction could detect that.
// Source: the locking without a loop is the sticky counter of Anderson, Blelloch and Wei, "Turning
// Manual Concurrent Memory Reclamation into Automatic Reference Counting" (PLDI 2022). Theirs needs
// deferred reclamation for a thread that comes late; here the weak count keeps the memory. Plain
// counting in processes of one thread, and a last release that reads both counts at once, are from
// libstdc++.
#pragma once

#include <freehold/count/detail/weak_word.hpp>
#include <freehold/count/reference_count.hpp>
#include <freehold/detail/atomics.hpp>

#include <cstdint>
#include <utility>

namespace freehold::inline FREEHOLD_ABI {
namespace detail {

// The word is in one of three states:
//
//   owned   there are owners, as many as the word says
//   left    there are no owners, but weak references. The thread that released the last owner
//           has left, and is about to set `gone`.
//   gone    negative: the object is being destroyed or was destroyed. The word's owners are void.
//
//   event                                       old    new    owners afterwards
//   a thread releases the last owner; there     owned  left   the thread holds the owners' common
//     are weak references                                     weak reference
//   a thread that has left sets `gone`          left   gone   it destroys the object, and then
//                                                             gives up the common weak reference
//   another thread locks a weak reference       left   owned  that thread owns the object; it adds
//                                                             a weak reference for the thread that
//                                                             has left
//   a thread that has left finds the word       owned  owned  it gives up one weak reference, and
//     owned again, or gone                      gone   gone   frees the memory if it was the last
//   the holder of the only handle releases it,  owned  gone   it destroys the object and frees the
//     by a plain store                                        memory
//   the process has one thread, which releases  owned  gone   as for a thread that sets `gone`
//     the last owner; there are weak references
//
// The memory stays until all threads that have left have looked at the word. The last weak
// reference is therefore given up only when the word is `gone`.
//
// The half word beside the word is a hint. It is `copied` if a second handle was counted by a
// locked instruction. A release that reads `copied` does not read the word first. A load of the
// word directly after a locked instruction on it waits until that instruction has reached the cache
// (3 ns on a Xeon, a third of a copy and its release). A load of the hint does not wait. Without
// the hint, the word decides. The hint may therefore be late or missing, as after plain counting,
// and is never wrong.
template <class Atomics>
class basic_atomic_count_with_weak {
    // The values of the hint.
    static constexpr std::uint16_t unknown = 0;
    static constexpr std::uint16_t copied = 1;

public:
    // The bytes of a new count, with zeros after them.
    static constexpr auto as_new = weak_word::alone_beside(unknown);

    template <class T>
    constexpr explicit basic_atomic_count_with_weak(std::in_place_type_t<T>) noexcept {}
    basic_atomic_count_with_weak(const basic_atomic_count_with_weak&) = delete;
    basic_atomic_count_with_weak& operator=(const basic_atomic_count_with_weak&) = delete;

    void increment() noexcept { add(1); }

    // Increments, unless another thread changes the count at this moment. In that case it does
    // nothing and returns false. A caller uses it if it can leave the count to that thread for a
    // while.
    [[nodiscard, gnu::always_inline]] bool increment_unless_disturbed() noexcept {
        if (Atomics::single_threaded()) {
            add(1);
            return true;
        }
        note_copy();
        // relaxed, all: as in add().
        std::int64_t before = word_.load(std::memory_order_relaxed);
        const std::int64_t after = weak_word::after_adding(weak_word::owner, before);
        if (!word_.compare_exchange_strong(before, after, std::memory_order_relaxed,
                                           std::memory_order_relaxed)) [[unlikely]]
            return false;
        if (after < 0) [[unlikely]]
            refuse_addition();
        return true;
    }

    void increment_held(std::int64_t owners) noexcept {
        // acquire: what the caller does with the new owners comes after former releases. The plain
        // store hides those releases from the new owners.
        const std::int64_t word = word_.load(std::memory_order_acquire);
        if (word != weak_word::only(owners)) {
            // Four owners on top of `at_rest` make the word positive.
            if (word < 0) [[unlikely]]
                weak_word::used_at_rest();
            return add(owners);
        }
        // relaxed: as for any copy; the caller has all handles.
        word_.store(weak_word::only(2 * owners), std::memory_order_relaxed);
    }

    [[nodiscard]] bool try_increment() noexcept {
        if (Atomics::single_threaded()) {
            const std::int64_t before = Atomics::read_plainly(word_);
            if (before < weak_word::owner) return try_increment_left(before);
            if (Atomics::add_plainly(word_, weak_word::owner) < 0) [[unlikely]]
                refuse_addition();
            return true;
        }
        const std::int64_t before = lock_atomically();
        if (weak_word::after_adding(weak_word::owner, before) < 2 * weak_word::owner)
            return try_increment_left(before);
        return true;
    }

    // depart() returns the word before an owner was subtracted. It returns `unsettled` if none was
    // subtracted: where counting is plain, because that would leave no owners; otherwise because
    // this may be the only handle. The functions below are inlined by force, for compilers that do
    // not optimise.
    using departure = std::int64_t;
    static constexpr departure unsettled = 0;

    [[nodiscard, gnu::always_inline]] departure depart() noexcept {
        // g++ 12 takes both ways for equally likely otherwise, and pads the plain one with no-ops.
        if (Atomics::single_threaded()) [[likely]] {
            const std::int64_t before = Atomics::read_plainly(word_);
            if (!leaves_owners(before)) return unsettled;
            Atomics::add_plainly(word_, -weak_word::owner);
            return before;
        }
        // relaxed: the hint only decides which way is faster.
        if (hint_.load(std::memory_order_relaxed) == unknown) return unsettled;
        const departure before = subtract_atomically(weak_word::owner);
        // The word of an object with an owner is not 0. Told so, compilers do not test the result.
        if (before == unsettled) __builtin_unreachable();
        return before;
    }
    [[nodiscard, gnu::always_inline]] static constexpr bool leaves_owners(departure seen) noexcept {
        return seen >= 2 * weak_word::owner;
    }
    [[nodiscard, gnu::always_inline]] bool rests_alone(departure seen) noexcept {
        if (seen != unsettled) return false;
        // acquire: if this is the only handle, its release comes after those of all others.
        if (word_.load(std::memory_order_acquire) != weak_word::alone) return false;
        rest();
        return true;
    }
    // This function is not inlined, because it is rarely called.
    [[nodiscard, gnu::noinline]] remaining settle(departure seen) noexcept {
        const bool plainly = Atomics::single_threaded();
        if (seen == unsettled) {
            if (rests_alone(seen)) return remaining::nothing;
            seen = plainly ? Atomics::read_plainly(word_) : subtract_atomically(weak_word::owner);
            if (leaves_owners(seen)) return remaining::owners;
        } else if (seen == weak_word::alone) {
            rest();
            return remaining::nothing;
        }
        if (seen < weak_word::owner) weak_word::used_at_rest();
        if (!plainly) return end();
        // relaxed: no other thread reads the word.
        word_.store((seen - weak_word::owner) | weak_word::gone, std::memory_order_relaxed);
        return remaining::weak_references;
    }

    [[nodiscard]] remaining decrement() noexcept {
        const departure seen = depart();
        return leaves_owners(seen) ? remaining::owners : settle(seen);
    }

    [[nodiscard]] remaining decrement_held(std::int64_t owners) noexcept {
        // acquire: former owners come before the destruction.
        if (word_.load(std::memory_order_acquire) == weak_word::only(owners)) {
            rest();
            return remaining::nothing;
        }
        const std::int64_t before = subtract(owners * weak_word::owner);
        if (before < 0) weak_word::used_at_rest();
        // The result is the same as if the other owners had been given up before the last.
        const departure last = before - (owners - 1) * weak_word::owner;
        return leaves_owners(last) ? remaining::owners : settle(last);
    }

    void increment_weak() noexcept {
        std::int64_t before;
        if (Atomics::single_threaded()) {
            before = weak_word::after_adding(-weak_word::weak,
                                             Atomics::add_plainly(word_, weak_word::weak));
        } else {
            note_copy();
            // relaxed: as for an owner.
            before = word_.fetch_add(weak_word::weak, std::memory_order_relaxed);
        }
        // At rest no weak reference is left, and the subtraction borrows. One bit therefore
        // indicates both none and too many.
        const std::int64_t others = weak_word::after_adding(-weak_word::weak, before);
        if ((others & weak_word::most_weak) != 0) [[unlikely]]
            refuse_weak(before);
    }

    void increment_weak_held() noexcept {
        // relaxed, both: the caller has the only handle, so that no other thread reads the word.
        if (word_.load(std::memory_order_relaxed) != weak_word::alone) return increment_weak();
        word_.store(weak_word::alone + weak_word::weak, std::memory_order_relaxed);
    }

    [[nodiscard]] bool decrement_weak() noexcept {
        std::int64_t before = unsettled;
        if (Atomics::single_threaded()) {
            before = weak_word::after_adding(weak_word::weak,
                                             Atomics::add_plainly(word_, -weak_word::weak));
        } else if (hint_.load(std::memory_order_relaxed) != unknown) {  // relaxed: as in depart
            // As for owners, with the memory in place of the object.
            before = subtract_atomically(weak_word::weak);
        }
        return (before & weak_word::weak_mask) <= weak_word::weak && settle_weak(before);
    }

    [[nodiscard]] std::int64_t value() const noexcept {
        // acquire: an owner that reads 1 may write to the object (copy on write). Its writes must
        // come after what former owners did.
        const std::int64_t word = word_.load(std::memory_order_acquire);
        if (word < 0) return 0;
        // In the state `left`, a thread may still lock a weak reference. A value of 0 must be
        // final, so that the function returns 1.
        return word < weak_word::owner ? 1 : weak_word::owners(word);
    }

    // Whether the last handle was released, including weak ones.
    [[nodiscard]] bool is_at_rest() const noexcept {
        // relaxed: says nothing of the object.
        const std::int64_t word = word_.load(std::memory_order_relaxed);
        return word < 0 && (word & weak_word::weak_mask) == 0;
    }

private:
    friend struct anchored_count;

    [[gnu::always_inline]] void add(std::int64_t owners) noexcept {
        const std::int64_t added = owners * weak_word::owner;
        if (Atomics::single_threaded()) {
            if (Atomics::add_plainly(word_, added) < 0) [[unlikely]]
                refuse_addition();
            return;
        }
        note_copy();
        // relaxed: the thread that copies an owner already sees the object, and publishes nothing.
        const std::int64_t before = word_.fetch_add(added, std::memory_order_relaxed);
        if (weak_word::after_adding(added, before) < 0) [[unlikely]]
            refuse_addition();
    }
    [[noreturn, gnu::noinline, gnu::cold]] void refuse_addition() const noexcept {
        // relaxed: the value only selects the message. The function reads the word afresh, so that
        // the addition needs to yield only the sign.
        const std::int64_t word = word_.load(std::memory_order_relaxed);
        weak_word::refuse_addition(word);
    }
    [[noreturn, gnu::noinline, gnu::cold]] static void refuse_weak(std::int64_t before) noexcept {
        if ((before & weak_word::weak_mask) == 0) weak_word::used_at_rest();
        weak_word::overflow();
    }
    [[nodiscard]] std::int64_t lock_atomically() noexcept {
        note_copy();
        // relaxed: see try_increment.
        return word_.fetch_add(weak_word::owner, std::memory_order_relaxed);
    }

    [[gnu::always_inline]] std::int64_t subtract(std::int64_t held) noexcept {
        if (!Atomics::single_threaded()) return subtract_atomically(held);
        return weak_word::after_adding(held, Atomics::add_plainly(word_, -held));
    }
    [[gnu::always_inline]] std::int64_t subtract_atomically(std::int64_t held) noexcept {
        // release: what these owners did happens before the destruction. acquire: the destroying
        // thread comes after the others.
        return word_.fetch_sub(held, std::memory_order_acq_rel);
    }
    // Returns whether the caller has to free the memory, if `before` was the word before the
    // release. It is not inlined, as `settle`.
    [[nodiscard, gnu::noinline]] bool settle_weak(std::int64_t before) noexcept {
        if (before == unsettled) {
            // acquire: the memory is freed after all uses of it.
            if (word_.load(std::memory_order_acquire) == (weak_word::gone | weak_word::weak)) {
                rest();
                return true;
            }
            before = subtract_atomically(weak_word::weak);
            if ((before & weak_word::weak_mask) > weak_word::weak) return false;
        }
        if (before >= 0 || (before & weak_word::weak_mask) == 0) weak_word::used_at_rest();
        return true;
    }

    // The store is atomic, although no other thread reads the word. A compiler removes a plain
    // store to an object whose lifetime is about to end.
    [[gnu::always_inline]] void rest() noexcept {
        // relaxed: the memory's next user learns of it by another synchronisation.
        word_.store(weak_word::at_rest, std::memory_order_relaxed);
    }

    // The caller locks a weak reference of an object without owners. This function takes over from
    // an owner that has left, or takes back what lock_atomically added. If counting is plain,
    // nothing was added.
    [[gnu::noinline]] bool try_increment_left(std::int64_t before) noexcept {
        if (before >= weak_word::owner) weak_word::overflow();
        // The weak reference that the caller holds is counted until it is released.
        if ((before & weak_word::weak_mask) == 0) weak_word::used_at_rest();
        if (Atomics::single_threaded()) return false;
        if (before >= 0) {
            // relaxed: the reference that this thread locks keeps the memory until then.
            word_.fetch_add(weak_word::weak, std::memory_order_relaxed);
            return true;
        }
        // relaxed: no thread reads the owners of an object that is gone. If failed attempts were
        // not taken back, enough of them would carry into the sign.
        word_.fetch_sub(weak_word::owner, std::memory_order_relaxed);
        return false;
    }

    // The calling thread has released the last owner and has seen weak references.
    remaining end() noexcept {
        // relaxed: the exchange decides.
        std::int64_t word = word_.load(std::memory_order_relaxed);
        while (word >= 0 && word < weak_word::owner) {
            // acquire: owners that took over and were released again come before the destruction.
            if (word_.compare_exchange_weak(word, word | weak_word::gone, std::memory_order_acquire,
                                            std::memory_order_relaxed))
                return remaining::weak_references;
        }
        return decrement_weak() ? remaining::memory : remaining::owners;
    }

    // Callers call this before the locked instruction, which then waits 1 ns for the store. A store
    // after it would make the next locked instruction wait 2 ns. The load comes first, because most
    // copies need no store.
    [[gnu::always_inline]] void note_copy() noexcept {
        // relaxed, both: a hint, by which nothing is published.
        if (hint_.load(std::memory_order_relaxed) == unknown)
            hint_.store(copied, std::memory_order_relaxed);
    }

    typename Atomics::template atomic<std::int64_t> word_{weak_word::alone};
    typename Atomics::template atomic<std::uint16_t> hint_{unknown};
};

}  // namespace detail

// atomic_count with weak references. handle/shared_ptr.hpp and handle/arc.hpp use it.
using atomic_count_with_weak = detail::basic_atomic_count_with_weak<detail::standard_atomics>;

static_assert(weak_reference_count<atomic_count_with_weak>);

}  // namespace freehold::inline FREEHOLD_ABI
