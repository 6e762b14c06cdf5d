// SPDX-License-Identifier: BSL-1.0
// How a thread keeps an object alive without counting: by a debt.
//
// A place holds a handle and owns one count of its object. A reader that wants the object writes
// down in a slot of its own thread that it owes a count, and uses the object. Who takes the handle
// out of the place, a writer, looks through all slots before it gives up its own count, and adds
// one for each slot that owes one of these: it pays. At its end a reader finds its debt either
// still there, and has nothing to do, or paid: then it has a count, and gives it up. So the object
// dies when the last that uses it ends, on that thread.
//
// A slot
//   owed   the key of what is protected, `none` if the slot is free, or `ending` while its holder
//          finds out whether it was paid. Written by the holder of the slot alone.
//   paid   the key of the counts of which one was added for this slot, or `none`. Whoever changes
//          it from a key to `none`, by a compare and exchange, has that count.
//   payer  how that count is given up. Written before `paid`.
// The key of an object is made of the address of its counts; there is one at a time for each
// address. Of null it is one that nobody pays.
//
// To take on a debt: read the place, write `owed`, and read the place again; if it holds the same
// key, the object was in the place after all could see that it is owed. Otherwise the debt is
// withdrawn: its key may be one of an object that is gone, or by now that of another.
// To end a debt: write `ending`; look at `paid`; write `none`.
// To pay, a writer changes the place; looks at `owed`; adds a count and writes `paid`; and looks at
// `owed` again: unless it has stayed, the debt may have ended before it was paid, and the writer
// takes the count back, unless the holder has found it.
// Writers hold a lock, so that one at a time pays, and what a place holds stays while it does.
// Therefore `paid` is `none`, or the same as what is owed, when no writer is at work, except while
// a holder is about to take it.
//
// Each of these has a write before a read of something else, which a processor may turn round. Who
// pays for the fence between them is the phase:
//   odd    readers do. They call functions of the core, which are sequentially consistent.
//   even   writers do. Readers use plain stores and loads in the order of the program, below; a
//          writer first makes the phase odd, and then executes a fence on every thread
//          (membarrier). A reader that then still finds the phase even has done all that comes
//          before on this side of the fence, where the writer sees it.
// The first that writes makes the phase odd, and it stays so until readers have executed about as
// many fences as that barrier took time for, without a write in between: readers pay for fences no
// more than twice what the best choice would have cost, however many writes there are.
// The phase counts up, so that a reader also sees that it was odd in between.
//
// A reader that finds the place changed several times says which place it wants. Every writer gives
// a count of what it has just stored to all that want it, so that two writes end any reader's work.
//
// Source: debts from arc-swap (Michal Vaner), there with a locked instruction for each end; the
// asymmetric fence from liburcu and folly's Hazptr; helping from "wait-free hazard pointers" (Paul
// Khuong, 2020), which is simpler with a lock.
#pragma once

#include <freehold/config.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace freehold::inline FREEHOLD_ABI::detail {

using debt_key = std::uintptr_t;

// The keys of counts at an address, which is a multiple of 4. None is `none` or `ending`, whatever
// is added to null.
inline constexpr debt_key for_owner = 2;
inline constexpr debt_key for_weak_reference = 3;

// std::try_to_lock_t, without <mutex>.
struct unless_taken {};

// How counts of one kind are added and given up, for functions that do not know the type.
struct owner_kind {
    debt_key (*key_of)(std::uintptr_t word) noexcept;
    void (*add)(debt_key key) noexcept;
    void (*give_up)(debt_key key) noexcept;
};

template <class Platform>
struct basic_debt {
    static constexpr debt_key none = 0;
    static constexpr debt_key ending = 1;

    typename Platform::template atomic<debt_key> owed{none};
    typename Platform::template atomic<debt_key> paid{none};
    typename Platform::template atomic<const owner_kind*> payer{nullptr};
};

// What a thread reads with. Never freed; the next thread takes over what an ended one has left,
// with the debts that outlive it.
template <class Platform>
struct alignas(64) basic_reader {
    using debt = basic_debt<Platform>;

    // Slots for snapshots, and one for the time that it takes to count.
    static constexpr std::size_t lasting_debts = Platform::lasting_debts;

    // What `wanted` says, if it is not the address of a place.
    static constexpr std::uintptr_t nothing = 0;
    static constexpr std::uintptr_t served = 1;

    debt debts[lasting_debts + 1];
    // The place whose value this reader wants to be given. Set by the reader, to `served` by the
    // writer that has written what was stored there, and counted, to the words `given`.
    typename Platform::template atomic<std::uintptr_t> wanted{nothing};
    typename Platform::template atomic<std::uintptr_t> given_word{0}, given_other{0};

    typename Platform::template atomic<bool> in_use{true};
    basic_reader* next = nullptr;

    // Of the thread itself: how often it has executed a fence since it has seen this number of
    // writes.
    std::uint32_t fences = 0;
    std::uint64_t writes_seen = 0;
};

[[nodiscard]] constexpr bool is_even(std::uint64_t phase) noexcept {
    return (phase & 1) == 0;
}

// All readers of the process.
template <class Platform>
struct basic_readers {
    // On a line that is written to seldom, because every reader reads it.
    alignas(64) typename Platform::template atomic<std::uint64_t> phase{1};
    typename Platform::template atomic<basic_reader<Platform>*> first{nullptr};

    alignas(64) typename Platform::template atomic<std::uint64_t> writes{0};
};

// What was read from a place. Protected by `debt`; if that is null, the words own a count, unless
// they are null.
template <class Platform, class Place>
struct basic_reading {
    typename Place::words words;
    basic_debt<Platform>* debt;
};

// Takes on a debt for what `place` holds in a free slot of this thread, in an even phase. False if
// the place or the phase was changed meanwhile: then the key is still owed.
template <class Platform, class KeyOf, class Place>
[[nodiscard, FREEHOLD_INLINED]] inline bool try_to_protect(const Place& place, KeyOf key_of,
                                                           basic_debt<Platform>& debt,
                                                           std::uint64_t phase,
                                                           basic_reading<Platform, Place>& result,
                                                           debt_key& key) noexcept {
    // relaxed: only what is read again below counts.
    const std::uintptr_t seen = place.load_word(std::memory_order_relaxed);
    key = key_of(seen);
    // release: passes on what former holders of the slot have released.
    debt.owed.store(key, std::memory_order_release);
    Platform::keep_order();
    // Acquires what was written to the object before it was stored.
    result = {place.load(), &debt};
    // acquire: stays behind the loads above.
    return Place::word_of(result.words) == seen &&
           Platform::readers().phase.load(std::memory_order_acquire) == phase;
}

template <class Platform, class Kind, class Place>
[[nodiscard, FREEHOLD_INLINED]] inline basic_reading<Platform, Place> protect(
    const Place& place) noexcept {
    basic_debt<Platform>& debt = *Platform::next_debt();
    // acquire: sees all that was stored in places before the phase became even.
    const std::uint64_t phase = Platform::readers().phase.load(std::memory_order_acquire);
    // acquire: what the last holder of the slot did comes before what this one releases.
    if (is_even(phase) && Place::is_read_at_once() &&
        debt.owed.load(std::memory_order_acquire) == debt.none) [[likely]] {
        basic_reading<Platform, Place> result;
        debt_key key;
        if (try_to_protect(place, Kind::key_of, debt, phase, result, key)) [[likely]]
            return result;
        return Platform::protect_again(place, Kind::calls, debt, key);
    }
    return Platform::protect_slowly(place, Kind::calls);
}

// Whether the debt was paid: then the caller owns a count.
template <class Platform>
[[nodiscard, FREEHOLD_INLINED]] inline bool end(basic_debt<Platform>& debt, debt_key key) noexcept {
    // release: what was done with the object comes before its destruction.
    debt.owed.store(debt.ending, std::memory_order_release);
    Platform::keep_order();
    // acquire: an even phase comes after all payments that were made before it.
    const bool readers_fence = !is_even(Platform::readers().phase.load(std::memory_order_acquire));
    // relaxed: the slow path looks again.
    if (readers_fence || debt.paid.load(std::memory_order_relaxed) != debt.none) [[unlikely]]
        return Platform::end_slowly(debt, key);
    // release: as above, for a writer that sees only this store.
    debt.owed.store(debt.none, std::memory_order_release);
    return false;
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
