// SPDX-License-Identifier: BSL-1.0
// A count of owners and weak references on several threads.
//
// Costs 10 bytes, at the end of a block 16 unless the object fits behind it. As long as the process
// has one thread, each operation is a plain load, an addition and a plain store
// (single_threaded.hpp says what tells that). Since the first thread was started, a copy is one
// locked add, and a release is one locked add, or two plain loads and a plain store if no other
// handle exists and none was counted by a locked instruction: an object that is never shared costs
// no locked instruction. Locking a weak reference is one locked add and never a loop.
//
// Thread-safe: distinct owners and weak references may be used at once. Not for signal handlers.
// Does not throw; terminates on overflow, and when a handle is released or copied whose object has
// no owners any more, until the memory is put to another use: the word rests at `gone` when the
// last handle is released. Two threads that release one handle at the same moment may both find it
// alone: nothing less than a locked instruction would tell.
//
// Source of a locking without a loop: the sticky counter of Anderson, Blelloch and Wei, "Turning
// Manual Concurrent Memory Reclamation into Automatic Reference Counting" (PLDI 2022). Theirs needs
// deferred reclamation for a thread that comes late; here the weak count keeps the memory.
// Source of plain counting in processes of one thread, and of a last release that looks at both
// counts at once: libstdc++.
#pragma once

#include <freehold/count/atomics.hpp>
#include <freehold/count/reference_count.hpp>
#include <freehold/count/weak_word.hpp>

#include <atomic>
#include <cstdint>
#include <utility>

namespace freehold::inline FREEHOLD_ABI {
namespace detail {

// The word is in one of three states:
//
//   owned   there are owners; as many as it says
//   left    no owners, but weak references: the thread that released the last owner is about to
//           say `gone`
//   gone    negative: the object is being destroyed, or was; what it says of owners is void
//
// owned -> left by the release of the last owner; left -> gone by a thread that has left; left ->
// owned by a weak reference that is locked meanwhile. The thread that locks it then adds a weak
// reference for the one that has left, and each of those that find that another was quicker, to own
// or to say `gone`, gives one up: so the memory stays until all that have left have looked. The
// last weak reference is therefore given up when the word is `gone`, and never before.
// An owner that is known to be the only handle goes from owned to gone, without weak references, by
// a plain store.
//
// The half word beside it is a hint: `copied` since a second handle was counted by a locked
// instruction. A release that finds it does without a look at the word: a load of the word right
// behind a locked instruction on it waits until that has reached the cache (3 ns on a Xeon, a third
// of a copy and its release), a load of its neighbour does not. Without the hint, the word decides.
// So the hint may be late or missing, as where counting was plain, and is never wrong.
template <class Atomics>
class basic_atomic_count_with_weak {
    // What the hint says.
    static constexpr std::uint16_t unknown = 0;
    static constexpr std::uint16_t copied = 1;

public:
    // The bytes that it begins as, and zeros behind them.
    static constexpr auto as_new = weak_word::alone_beside(unknown);

    template <class T>
    constexpr explicit basic_atomic_count_with_weak(std::in_place_type_t<T>) noexcept {}
    basic_atomic_count_with_weak(const basic_atomic_count_with_weak&) = delete;
    basic_atomic_count_with_weak& operator=(const basic_atomic_count_with_weak&) = delete;

    void increment() noexcept { add(1); }

    // The same, unless another thread changes the count at this moment: then does nothing, and says
    // so. For who can leave the count to that thread for a while.
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
        // acquire: what the caller does with the new owners comes after former releases, which the
        // plain store hides from them.
        if (word_.load(std::memory_order_acquire) != weak_word::only(owners)) return add(owners);
        // relaxed: as for any copy; the caller has all the handles there are.
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

    // The word before an owner was subtracted, or `unsettled` if it was not: where counting is
    // plain, because that would leave no owners; else because this may be the only handle.
    // What follows is inlined by force, for compilers that do not optimise.
    using departure = std::int64_t;
    static constexpr departure unsettled = 0;

    [[nodiscard, gnu::always_inline]] departure depart() noexcept {
        if (Atomics::single_threaded()) {
            const std::int64_t before = Atomics::read_plainly(word_);
            if (!leaves_owners(before)) return unsettled;
            Atomics::add_plainly(word_, -weak_word::owner);
            return before;
        }
        // relaxed: a hint, which decides only which way is quicker.
        if (hint_.load(std::memory_order_relaxed) == unknown) return unsettled;
        return subtract_atomically(weak_word::owner);
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
    // Not inlined, for it is seldom.
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
        // relaxed: no other thread looks.
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
        // As if the others had been given up before the last.
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
        // None is left at rest; the subtraction borrows then, so that one bit tells of none and of
        // too many.
        const std::int64_t others = weak_word::after_adding(-weak_word::weak, before);
        if ((others & weak_word::most_weak) != 0) [[unlikely]]
            refuse_weak(before);
    }

    void increment_weak_held() noexcept {
        // relaxed, both: the caller has the only handle there is, so that no other thread looks.
        if (word_.load(std::memory_order_relaxed) != weak_word::alone) return increment_weak();
        word_.store(weak_word::alone + weak_word::weak, std::memory_order_relaxed);
    }

    [[nodiscard]] bool decrement_weak() noexcept {
        std::int64_t before = unsettled;
        if (Atomics::single_threaded()) {
            before = weak_word::after_adding(weak_word::weak,
                                             Atomics::add_plainly(word_, -weak_word::weak));
        } else if (hint_.load(std::memory_order_relaxed) != unknown) {  // relaxed: as in depart
            // As for owners, for the memory in place of the object.
            before = subtract_atomically(weak_word::weak);
        }
        return (before & weak_word::weak_mask) <= weak_word::weak && settle_weak(before);
    }

    [[nodiscard]] std::int64_t value() const noexcept {
        // acquire: an owner that reads 1 may write to the object (copy on write), which must come
        // after what former owners did.
        const std::int64_t word = word_.load(std::memory_order_acquire);
        if (word < 0) return 0;
        // Left, but not gone: a weak reference may still be locked, and 0 is never taken back.
        return word < weak_word::owner ? 1 : weak_word::owners(word);
    }

    // Whether the last handle was released, weak ones included.
    [[nodiscard]] bool is_at_rest() const noexcept {
        // relaxed: says nothing of the object.
        const std::int64_t word = word_.load(std::memory_order_relaxed);
        return word < 0 && (word & weak_word::weak_mask) == 0;
    }

private:
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
        // relaxed: to say why. Read afresh, so that only the sign is asked of the addition.
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
        // release: what these owners did happens before the destruction; acquire: the thread that
        // destroys comes after the others.
        return word_.fetch_sub(held, std::memory_order_acq_rel);
    }
    // Not inlined, as `settle`: whether the memory is to be freed, if the word before was this.
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

    // Atomic, although no other thread looks: a compiler leaves out a plain store to what is about
    // to end its life.
    [[gnu::always_inline]] void rest() noexcept {
        // relaxed: the memory's next user learns of it by some other way.
        word_.store(weak_word::gone, std::memory_order_relaxed);
    }

    // Takes over from an owner that has left, or takes back what lock_atomically added; or nothing
    // was added, because counting is plain.
    [[gnu::noinline]] bool try_increment_left(std::int64_t before) noexcept {
        if (before >= weak_word::owner) weak_word::overflow();
        // The weak reference that the caller holds is counted as long as it is not released.
        if ((before & weak_word::weak_mask) == 0) weak_word::used_at_rest();
        if (Atomics::single_threaded()) return false;
        if (before >= 0) {
            // relaxed: the reference that this thread locks keeps the memory until then.
            word_.fetch_add(weak_word::weak, std::memory_order_relaxed);
            return true;
        }
        // relaxed: nobody reads the owners of an object that is gone. Enough failures would carry
        // into the sign if they were not taken back.
        word_.fetch_sub(weak_word::owner, std::memory_order_relaxed);
        return false;
    }

    // What the thread does that has released the last owner and has seen weak references.
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

    // Before the locked instruction, which waits 1 ns for the store, where a store behind it makes
    // the next one wait for 2 ns; and with a load, because most copies need no store.
    [[gnu::always_inline]] void note_copy() noexcept {
        // relaxed, both: a hint, by which nothing is published.
        if (hint_.load(std::memory_order_relaxed) == unknown)
            hint_.store(copied, std::memory_order_relaxed);
    }

    typename Atomics::template atomic<std::int64_t> word_{weak_word::alone};
    typename Atomics::template atomic<std::uint16_t> hint_{unknown};
};

}  // namespace detail

using atomic_count_with_weak = detail::basic_atomic_count_with_weak<detail::standard_atomics>;

static_assert(weak_reference_count<atomic_count_with_weak>);

}  // namespace freehold::inline FREEHOLD_ABI
