// SPDX-License-Identifier: BSL-1.0
// A count of owners and weak references on several threads.
//
// Costs 10 bytes, at the end of a block 16 unless the object fits behind it. A copy is one locked
// add; a release is one locked add, or a plain load and a plain store as long as no second handle
// was ever made, so that an object which nobody ever shared costs no locked instruction at all.
// Locking a weak reference is one locked add and never a loop; the last release beside weak
// references pays for it with one locked instruction more.
//
// That nobody ever shared stands in a half word of its own beside the word: a load of the word
// right behind a locked instruction on it waits until that has reached the cache (3 ns on a Xeon, a
// third of a copy and its release), a load of its neighbour does not.
//
// Thread-safe: distinct owners and weak references may be used at once. Does not throw; terminates
// on overflow, and when a handle is released or copied whose object has no owners any more, until
// the memory is put to another use: the half word rests at zero when the last handle has let go.
// The checks are made where it and the word are looked at anyway; only the store is new. Two
// threads that release one handle at the same moment may both find it alone: nothing less than a
// locked instruction would tell. Source of a locking without a loop: the sticky counter of
// Anderson, Blelloch and Wei, "Turning Manual Concurrent Memory Reclamation into Automatic
// Reference Counting" (PLDI 2022). Theirs needs deferred reclamation for whoever comes late; here
// the weak count keeps the memory.
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
//   left    no owners, but weak references: the one who let go last is about to say `gone`
//   gone    negative: the object is being destroyed, or was; what it says of owners is void
//
// owned -> left by the last owner who lets go; left -> gone by one who has left; left -> owned by a
// weak reference that is locked meanwhile. Who locks it then adds a weak reference for one who has
// left, and each of those who finds that another was quicker, to own or to say `gone`, gives one
// up: so the memory stays until all who have left have looked. The last weak reference is therefore
// given up when the word is `gone`, and never before.
//
// The half word beside it goes from `alone` to `several` when a second handle is made, and to
// `ended` when the last handle has let go. The word then says less than two owners, so that who
// subtracts looks at the half word.
template <class Atomics>
class basic_atomic_count_with_weak {
    // What the half word says.
    static constexpr std::uint16_t ended = 0;
    static constexpr std::uint16_t alone = 1;
    static constexpr std::uint16_t several = 2;

public:
    // The bytes that it begins as, and zeros behind them.
    static constexpr auto as_new = weak_word::alone_beside(alone);

    template <class T>
    constexpr explicit basic_atomic_count_with_weak(std::in_place_type_t<T>) noexcept {}
    basic_atomic_count_with_weak(const basic_atomic_count_with_weak&) = delete;
    basic_atomic_count_with_weak& operator=(const basic_atomic_count_with_weak&) = delete;

    void increment() noexcept { add(1); }

    void increment_held(std::int64_t owners) noexcept {
        // acquire: who has the new owners comes after former ones, whose releases the plain store
        // hides from them.
        if (word_.load(std::memory_order_acquire) != weak_word::only(owners)) return add(owners);
        note_sharing();
        // relaxed: as for any copy; the caller has all the handles there are.
        word_.store(weak_word::only(2 * owners), std::memory_order_relaxed);
    }

    [[nodiscard]] bool try_increment() noexcept {
        // relaxed: as for a copy; the weak reference came from an owner who saw the object.
        const std::int64_t before = word_.fetch_add(weak_word::owner, std::memory_order_relaxed);
        if (before >= weak_word::owner) [[likely]] {
            if (weak_word::after_adding(weak_word::owner, before) < 0) [[unlikely]]
                weak_word::overflow();
            return true;
        }
        return try_increment_left(before);
    }

    // What an owner has seen who lets go. What follows is inlined by force, for compilers that do
    // not optimise.
    struct departure {
        std::int64_t before;
        std::uint16_t sharing;
    };

    [[nodiscard, gnu::always_inline]] departure depart() noexcept {
        // relaxed: that there was a second handle was noted by whoever made it, before it or this
        // one could come here; so this either sees that or is the only handle there ever was.
        const std::uint16_t seen = sharing_.load(std::memory_order_relaxed);
        if (seen == alone) return {weak_word::alone, seen};
        return {subtract(weak_word::owner), seen};
    }
    [[nodiscard, gnu::always_inline]] static constexpr bool leaves_owners(departure seen) noexcept {
        return seen.sharing != alone && seen.before >= 2 * weak_word::owner;
    }
    [[nodiscard, gnu::always_inline]] bool leaves_nothing(departure seen) const noexcept {
        return seen.sharing == alone;
    }
    [[nodiscard, gnu::always_inline]] remaining settle(departure seen) noexcept {
        if (seen.before != weak_word::alone || seen.sharing == ended) [[unlikely]]
            return few(seen);
        rest();
        return remaining::nothing;
    }

    [[nodiscard]] remaining decrement() noexcept {
        const departure seen = depart();
        return leaves_owners(seen) ? remaining::owners : settle(seen);
    }

    [[nodiscard]] remaining decrement_held(std::int64_t owners) noexcept {
        // relaxed: as above.
        const std::uint16_t seen = sharing_.load(std::memory_order_relaxed);
        if (seen == ended) weak_word::used_at_rest();
        // acquire: former owners come before the destruction.
        if (word_.load(std::memory_order_acquire) != weak_word::only(owners)) {
            const std::int64_t before = subtract(owners * weak_word::owner);
            if (before < 0) weak_word::used_at_rest();
            // As if the others had been given up before the last.
            const departure last{before - (owners - 1) * weak_word::owner, seen};
            return leaves_owners(last) ? remaining::owners : settle(last);
        }
        // relaxed: as in rest().
        if (owners > 1) word_.store(weak_word::gone, std::memory_order_relaxed);
        rest();
        return remaining::nothing;
    }

    void increment_weak() noexcept {
        // relaxed: as for an owner.
        const std::int64_t before = word_.fetch_add(weak_word::weak, std::memory_order_relaxed);
        if ((before & weak_word::weak_mask) >= weak_word::most_weak) [[unlikely]]
            weak_word::overflow();
        note_sharing();
    }

    [[nodiscard]] bool decrement_weak() noexcept {
        // As for owners, for the memory in place of the object.
        const std::int64_t before = word_.fetch_sub(weak_word::weak, std::memory_order_acq_rel);
        if ((before & weak_word::weak_mask) > weak_word::weak) return false;
        if (before >= 0 || (before & weak_word::weak_mask) == 0) weak_word::used_at_rest();
        rest();
        return true;
    }

    [[nodiscard]] std::int64_t value() const noexcept {
        // acquire: an owner that reads 1 may write to the object (copy on write), which must come
        // after what former owners did.
        const std::int64_t word = word_.load(std::memory_order_acquire);
        if (word < 0) return 0;
        // Left, but not gone: a weak reference may still be locked, and 0 is never taken back.
        return word < weak_word::owner ? 1 : weak_word::owners(word);
    }

    // Whether the last handle has let go, weak ones included.
    [[nodiscard]] bool is_at_rest() const noexcept {
        // relaxed: says nothing of the object.
        return sharing_.load(std::memory_order_relaxed) == ended &&
               word_.load(std::memory_order_relaxed) < 2 * weak_word::owner;
    }

private:
    void add(std::int64_t owners) noexcept {
        const std::int64_t added = owners * weak_word::owner;
        // relaxed: whoever copies an owner already sees the object, and publishes nothing by it.
        const std::int64_t before = word_.fetch_add(added, std::memory_order_relaxed);
        if (weak_word::after_adding(added, before) < 0) [[unlikely]]
            refuse_addition();
        note_sharing();
    }
    [[noreturn, gnu::noinline, gnu::cold]] void refuse_addition() const noexcept {
        // relaxed: to say why. Read afresh, so that only the sign is asked of the addition.
        if (sharing_.load(std::memory_order_relaxed) == ended) weak_word::used_at_rest();
        const std::int64_t word = word_.load(std::memory_order_relaxed);
        weak_word::refuse_addition(word);
    }

    [[gnu::always_inline]] std::int64_t subtract(std::int64_t held) noexcept {
        // release: what these owners did happens before whoever destroys; acquire: the one who
        // destroys comes after the others.
        return word_.fetch_sub(held, std::memory_order_acq_rel);
    }
    // Not inlined, for it is seldom: what is left if it is neither owners nor nothing.
    [[gnu::noinline]] remaining few(departure seen) noexcept {
        if (seen.before < weak_word::owner || seen.sharing == ended) weak_word::used_at_rest();
        return end();
    }

    // Atomic, although nobody else looks: a compiler leaves out a plain store to what is about to
    // end its life.
    [[gnu::always_inline]] void rest() noexcept {
        // relaxed: whoever gets the memory learns of it by some other way.
        sharing_.store(ended, std::memory_order_relaxed);
    }

    // Takes over from the owner who has left, or takes back what try_increment added.
    [[gnu::noinline]] bool try_increment_left(std::int64_t before) noexcept {
        if (before >= 0) {
            // relaxed: at rest since before this reference was used, or not at all.
            if (sharing_.load(std::memory_order_relaxed) == ended) weak_word::used_at_rest();
            // relaxed: the reference that this thread locks keeps the memory until then.
            word_.fetch_add(weak_word::weak, std::memory_order_relaxed);
            return true;
        }
        // relaxed: nobody reads the owners of an object that is gone. Enough failures would carry
        // into the sign if they were not taken back.
        word_.fetch_sub(weak_word::owner, std::memory_order_relaxed);
        return false;
    }

    // What the owner does who has left and has seen weak references.
    remaining end() noexcept {
        // relaxed: the exchange decides.
        std::int64_t word = word_.load(std::memory_order_relaxed);
        while (word >= 0 && word < weak_word::owner) {
            // acquire: owners that took over and let go again come before the destruction.
            if (word_.compare_exchange_weak(word, word | weak_word::gone, std::memory_order_acquire,
                                            std::memory_order_relaxed))
                return remaining::weak_references;
        }
        return decrement_weak() ? remaining::memory : remaining::owners;
    }

    // Reads before it writes, so that copies on many threads do not take the line from each other
    // twice; comes after the locked add, which has brought the line here.
    void note_sharing() noexcept {
        // relaxed: whoever gets the handle being made learns of it, and of this, by some other way.
        const std::uint16_t seen = sharing_.load(std::memory_order_relaxed);
        if (seen == several) return;
        if (seen == ended) [[unlikely]]
            refuse_addition();
        sharing_.store(several, std::memory_order_relaxed);
    }

    typename Atomics::template atomic<std::int64_t> word_{weak_word::alone};
    typename Atomics::template atomic<std::uint16_t> sharing_{alone};
};

}  // namespace detail

using atomic_count_with_weak = detail::basic_atomic_count_with_weak<detail::standard_atomics>;

static_assert(weak_reference_count<atomic_count_with_weak>);

}  // namespace freehold::inline FREEHOLD_ABI
