// SPDX-License-Identifier: BSL-1.0
// What it is: the protocol by which a thread keeps an object alive without counting: a debt.
//
// A place holds a handle and owns one count of its object. A reader writes into a slot of its own
// thread that it owes a count, and uses the object. A writer takes the handle out of the place.
// Before it gives up its own count, it reads all slots, and adds one count for each slot that owes
// one: it pays. At its end, a reader may find its debt unpaid: it has nothing to do. Or it finds
// the debt paid: it then has a count, and gives it up. The object therefore dies when its last user
// ends, on that user's thread.
//
// A slot:
//   owed   the key of what is protected, `none` if the slot is free, or `ending` while its holder
//          finds out whether it was paid. Only the slot's holder writes it.
//   paid   the key of the counts of which a writer added one for this slot, or `none`. The thread
//          that changes it from a key to `none`, by a compare and exchange, owns that count.
//   payer  how that count is given up. A writer writes it before `paid`.
// The key of an object is made of the address of its counts. There is one key at a time for each
// address. No writer pays the key of null.
//
//   event                                        owed, paid          owners afterwards
//   the holder reads the place, writes `owed`,   none, none ->       the reader owes a count: the
//     and reads the place again: the same key    key, none           object was in the place after
//                                                                    all threads could see the debt
//   the same, but the key differs: the holder    key, none ->        none: the key may be of an
//     withdraws the debt, as if it ended it      none, none          object that is gone, or by now
//                                                                    of another one
//   a writer changes the place, sees the key in  key, none ->        the slot's holder will own the
//     `owed`, adds a count, writes `paid`, and   key, key            added count
//     sees `owed` unchanged
//   the same, but `owed` has changed: the debt   any, key ->         none: the writer gives the
//     may have ended before it was paid          any, none           count up, unless the holder
//                                                                    has taken it
//   the holder writes `ending`, sees no          key, none ->        nobody
//     payment, and writes `none`                 none, none
//   the holder writes `ending`, takes the        key, key ->         the holder owns the count, and
//     payment, and writes `none`                 none, none          gives it up or keeps it
//
// Writers hold a lock: one at a time pays, and a place keeps its value while a writer holds the
// lock. Therefore `paid` is `none` or equal to `owed` when no writer is at work, except while a
// holder is about to take the payment.
//
// Each of these steps has a write before a read of something else. A processor may reorder them.
// The phase says which side executes the fence between them:
//   odd    readers do. They call functions of the core, which are sequentially consistent.
//   even   writers do. Readers use plain stores and loads in program order, below. A writer first
//          makes the phase odd, and then executes a fence on every thread (membarrier). If a reader
//          still finds the phase even then, all its earlier steps came before the fence,
//          where the writer sees them.
// The first writer makes the phase odd. It stays odd until readers have executed about as many
// fences as that barrier took time for, without a write in between. Readers thus pay for fences no
// more than twice what the best choice would have cost, however many writes there are. The phase
// counts up, so that a reader also sees that it was odd in between.
//
// If a reader finds the place changed several times, it says which place it wants. Every writer
// gives a count of what it has just stored to all readers that want it. Two writes therefore end
// any reader's work.
//
// Source: debts from arc-swap (Michal Vaner), there with a locked instruction for each end; the
// asymmetric fence from liburcu and folly's Hazptr; helping from "wait-free hazard pointers" (Paul
// Khuong, 2020), which is simpler with a lock.
#pragma once

#include <freehold/config.hpp>
#include <freehold/detail/atomic.hpp>

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

// How functions that do not know the type add and give up counts of one kind.
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

// The slots of one thread. A reader is never freed. The next thread takes over the reader of an
// ended thread, with the debts that outlive that thread.
template <class Platform>
struct alignas(64) basic_reader {
    using debt = basic_debt<Platform>;

    // Slots for snapshots, and one for the time that it takes to count.
    static constexpr std::size_t lasting_debts = Platform::lasting_debts;

    // The values of `wanted` that are not the address of a place.
    static constexpr std::uintptr_t nothing = 0;
    static constexpr std::uintptr_t served = 1;

    debt debts[lasting_debts + 1];
    // The place whose value this reader wants. The reader sets it. A writer sets it to `served`
    // after it has written the words `given` of what it stored there, and has added a count.
    typename Platform::template atomic<std::uintptr_t> wanted{nothing};
    typename Platform::template atomic<std::uintptr_t> given_word{0}, given_other{0};

    typename Platform::template atomic<bool> in_use{true};
    basic_reader* next = nullptr;

    // Only the thread itself uses these: how many fences it has executed since it saw this number
    // of writes.
    std::uint32_t fences = 0;
    std::uint64_t writes_seen = 0;
};

[[nodiscard]] constexpr bool is_even(std::uint64_t phase) noexcept {
    return (phase & 1) == 0;
}

// All readers of the process.
template <class Platform>
struct basic_readers {
    // On a cache line that is rarely written, because every reader reads it.
    alignas(64) typename Platform::template atomic<std::uint64_t> phase{1};
    typename Platform::template atomic<basic_reader<Platform>*> first{nullptr};

    alignas(64) typename Platform::template atomic<std::uint64_t> writes{0};
};

// The words that were read from a place. `debt` protects them. If `debt` is null, the words own a
// count, unless they are null.
template <class Platform, class Place>
struct basic_reading {
    typename Place::words words;
    basic_debt<Platform>* debt;
};

// Takes on a debt for what `place` holds, in a free slot of the calling thread, in an even phase.
// Returns false if the place or the phase has changed meanwhile: the slot then still owes the key.
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
        // Not its address: g++ cannot always inline the function behind it, and then gives up.
        constexpr auto key_of = [](std::uintptr_t word) noexcept { return Kind::key_of(word); };
        if (try_to_protect(place, key_of, debt, phase, result, key)) [[likely]]
            return result;
        return Platform::protect_again(place, Kind::calls, debt, key);
    }
    return Platform::protect_slowly(place, Kind::calls);
}

// Ends a debt. Returns whether it was paid: the caller then owns a count.
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
