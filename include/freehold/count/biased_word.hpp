// SPDX-License-Identifier: BSL-1.0
// The protocol by which one thread counts plainly and all others atomically, on the same word.
//
// Beside the word stands who may count plainly:
//
//   a bias record   the thread that the record names, by restartable sequences which compare the
//                   record's thread with their own; nobody else counts at all
//   shared          nobody: everyone counts atomically
//   fresh           nobody, and since this was stored no second handle was made: the holder of the
//                   only one can let go without looking at the word
//   at rest         nobody: the last handle has let go, and the word is void
//
//   record -> shared   by any thread that wants to count and is not the record's: it first revokes
//                      the record (bias.hpp), after which no sequence of that thread commits. The
//                      record's thread itself does so when it finds its record revoked.
//   record -> shared   by the record's thread, in a sequence: share()
//   record -> fresh    the same, if it holds the only handle
//   fresh  -> shared   by whoever makes the second handle
//   any    -> at rest  by whoever lets go of the last one, if asked to
//
// Nothing leads back to a record. All changes of the word are therefore in one order: those of the
// record's thread first, each a single store between whose comparisons and itself no other thread
// changes the word; then, after the revocation, atomic ones.
//
// A thread that finds the word saying that there is one handle holds that handle, and no other is
// left that could be copied. It is then the last, and lets go without a store, and without revoking
// anything: objects that are moved between threads, and never copied, never revoke a bias.
//
// A thread may end at any time: it holds nothing. Its objects stay biased to its address; they are
// counted plainly by the next thread that has this address, which runs after the first has ended,
// or revoked by others.
#pragma once

#include <freehold/count/bias.hpp>
#include <freehold/count/weak_word.hpp>

#include <atomic>
#include <cstdint>

namespace freehold::inline FREEHOLD_ABI::detail {

template <class Platform>
class basic_biased_word {
    using record = basic_bias_record<Platform>;

public:
    constexpr basic_biased_word(std::int64_t word, std::uintptr_t owner) noexcept
        : word_(word), owner_(owner) {}

    // Short enough to be inlined, as the subtraction: all that is seldom is in functions of its
    // own.
    template <std::int64_t Unit>
    [[gnu::always_inline]] void add() noexcept {
        // acquire: whoever reads `shared` counts after all that was counted plainly.
        const std::uintptr_t owner = owner_.load(std::memory_order_acquire);
        if (is_record(owner)) {
            switch (Platform::template add<Unit>(word_, *as_record(owner))) {
                case sequence_outcome::done:
                    return;
                case sequence_outcome::refused:
                    unbias();
                    break;
                default:
                    weak_word::overflow();
            }
        } else if (owner != shared) {
            return add_to_unshared<Unit>();
        }
        add_atomically<Unit>();
    }

    // Adds a unit if there is at least one.
    template <std::int64_t Unit>
    [[nodiscard]] bool add_to_some() noexcept {
        // relaxed: a record was made before the object, and add_atomically_to_some() looks again.
        const std::uintptr_t owner = owner_.load(std::memory_order_relaxed);
        if (is_record(owner)) {
            switch (Platform::template add_to_some<Unit>(word_, *as_record(owner))) {
                case sequence_outcome::done:
                    return true;
                case sequence_outcome::none:
                    return false;
                case sequence_outcome::refused:
                    break;
                default:
                    weak_word::overflow();
            }
        }
        return add_atomically_to_some<Unit>();
    }

    // done: units are left; last: the word was `Alone`, and may still be; anything else is to be
    // settled.
    template <std::int64_t Unit, std::int64_t Alone>
    [[nodiscard, gnu::always_inline]] sequence_outcome subtract() noexcept {
        // acquire: as above. That there was a second handle was noted by whoever made it, before it
        // or this one could come here.
        const std::uintptr_t owner = owner_.load(std::memory_order_acquire);
        // No acquire for `last` from a sequence: no other thread has changed the word by then, so
        // that other handles, if there were any, came back to this thread and were released here.
        if (is_record(owner))
            return Platform::template subtract<Unit, Alone>(word_, *as_record(owner));
        if (owner == shared) return subtract_atomically<Unit, Alone>();
        return owner == fresh ? sequence_outcome::last : sequence_outcome::none;
    }
    // Answers `few` if this was the last unit, but not all that the word counts.
    template <std::int64_t Unit, std::int64_t Alone>
    [[nodiscard, gnu::noinline]] sequence_outcome settle(sequence_outcome seen) noexcept {
        if (seen == sequence_outcome::refused) {
            if (!unbias_unless_alone<Alone>()) return sequence_outcome::last;
            seen = subtract_atomically<Unit, Alone>();
        } else if (seen == sequence_outcome::few) {
            // relaxed: it was this thread that took away more than there was, if it is so.
            if (word_.load(std::memory_order_relaxed) < 0) weak_word::used_at_rest();
        }
        if (seen == sequence_outcome::none) weak_word::used_at_rest();
        return seen;
    }

    // For who was told that it is the last, and lets go of memory that may be looked at again.
    void rest() noexcept {
        // relaxed: whoever gets the memory learns of it by some other way.
        owner_.store(at_rest, std::memory_order_relaxed);
    }

    // Gives up the bias at little cost if this thread has it, by a revocation otherwise.
    template <std::int64_t Alone>
    void share() noexcept {
        // relaxed: a record was made before the object, and nothing is counted here.
        const std::uintptr_t owner = owner_.load(std::memory_order_relaxed);
        if (!is_record(owner)) return;
        if (Platform::template share<Alone, fresh, shared>(word_, owner_, *as_record(owner)) ==
            sequence_outcome::refused)
            unbias();
    }

    [[nodiscard]] std::int64_t value() const noexcept {
        // acquire: a holder that reads 1 may write to the object (copy on write), which must come
        // after what former holders did. A sequence's commit is a release: every store of an x86
        // is.
        return word_.load(std::memory_order_acquire);
    }

    // Whether the last handle has let go.
    [[nodiscard]] bool is_at_rest() const noexcept {
        // relaxed: says nothing of the object.
        return owner_.load(std::memory_order_relaxed) == at_rest;
    }

private:
    static bool is_record(std::uintptr_t owner) noexcept { return owner > fresh; }
    static record* as_record(std::uintptr_t owner) noexcept {
        return reinterpret_cast<record*>(owner);
    }

    template <std::int64_t Unit>
    void add_atomically() noexcept {
        // relaxed: whoever copies a handle already sees the object, and publishes nothing by it.
        const std::int64_t before = word_.fetch_add(Unit, std::memory_order_relaxed);
        if (weak_word::after_adding(Unit, before) < 0) [[unlikely]]
            weak_word::overflow();
    }
    template <std::int64_t Unit>
    [[gnu::noinline]] void add_to_unshared() noexcept {
        // relaxed: nothing was counted plainly since add() has looked.
        if (owner_.load(std::memory_order_relaxed) == at_rest) weak_word::used_at_rest();
        // relaxed: as in add_atomically(). The first handle of all leaves the object fresh.
        if (word_.fetch_add(Unit, std::memory_order_relaxed) != 0) note_sharing();
    }

    template <std::int64_t Unit, std::int64_t Alone>
    [[gnu::always_inline]] sequence_outcome subtract_atomically() noexcept {
        // release: what this holder did happens before whoever destroys; acquire: the one who
        // destroys comes after the others.
        const std::int64_t before = word_.fetch_sub(Unit, std::memory_order_acq_rel);
        if (before >= 2 * Unit) return sequence_outcome::done;
        if (before == Alone) return sequence_outcome::last;
        return before < Unit ? sequence_outcome::none : sequence_outcome::few;
    }

    [[gnu::noinline, gnu::cold]] void unbias() noexcept {
        // acquire: as in add().
        const std::uintptr_t owner = owner_.load(std::memory_order_acquire);
        if (is_record(owner)) revoke(*as_record(owner));
        note_sharing();
    }

    template <std::int64_t Alone>
    bool unbias_unless_alone() noexcept {
        // acquire: what former holders did happens before the destruction.
        if (word_.load(std::memory_order_acquire) == Alone) return false;
        unbias();
        return true;
    }

    template <std::int64_t Unit>
    [[gnu::noinline]] bool add_atomically_to_some() noexcept {
        // relaxed: the exchange below decides, and a word without units never has any again.
        std::int64_t word = word_.load(std::memory_order_relaxed);
        if (word < Unit) return false;
        // relaxed: at rest since before this reference was used, or not at all.
        if (owner_.load(std::memory_order_relaxed) == at_rest) weak_word::used_at_rest();
        unbias();
        // relaxed: as above.
        word = word_.load(std::memory_order_relaxed);
        std::int64_t locked = 0;
        do {
            if (word < Unit) return false;
            locked = weak_word::after_adding(Unit, word);
            if (locked < 0) [[unlikely]]
                weak_word::overflow();
            // relaxed: as for a copy; the weak reference came from an owner who saw the object.
        } while (!word_.compare_exchange_weak(word, locked, std::memory_order_relaxed,
                                              std::memory_order_relaxed));
        return true;
    }

    void note_sharing() noexcept {
        // relaxed: only to leave the line alone where others use it too.
        if (owner_.load(std::memory_order_relaxed) != shared) {
            // release: whoever reads it comes after the revocation, and so after what was counted
            // plainly.
            owner_.store(shared, std::memory_order_release);
        }
    }

    typename Platform::template atomic<std::int64_t> word_;
    typename Platform::template atomic<std::uintptr_t> owner_;
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
