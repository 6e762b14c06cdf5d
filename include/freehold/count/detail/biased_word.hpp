// SPDX-License-Identifier: BSL-1.0
// What it is: the protocol by which one thread counts plainly and all others count atomically, on
// the same word. A second word beside it, `owner`, says which thread may count plainly.
//
//   state          the threads that count
//   a bias record  the record's thread alone, by restartable sequences that compare the record's
//                  thread with the calling thread; no other thread counts
//   shared         all threads, atomically
//   fresh          all threads, atomically. No second handle was made since `fresh` was stored: the
//                  holder of the only handle can release it without reading the word.
//   at rest        none: the last handle was released, and the word is void
//
//   event                                         old state  new state  owned afterwards by
//   another thread wants to count; it first       record     shared     all handles; no sequence
//     revokes the record (bias.hpp)                                     of the record commits
//   the record's thread finds it revoked          record     shared     all handles
//   the record's thread calls share()             record     shared     all handles
//   the same, and it holds the only handle        record     fresh      that handle
//   a thread makes the second handle              fresh      shared     both handles
//   the holder of the last handle releases it,    any        at rest    nobody; that thread
//     and calls rest()                                                  destroys, frees
//
// No transition leads back to a record. All changes of the word are therefore in one order. The
// changes of the record's thread come first. Each is a single store, and no other thread changes
// the word between the sequence's comparisons and the store. After the revocation, atomic changes
// follow.
//
// If a thread reads from the word that there is one handle, that thread holds it, and no other
// handle is left that could be copied. The thread is the last. It releases the handle without a
// store, and without a revocation. Objects that move between threads and are never copied therefore
// never revoke a bias.
//
// A thread may end at any time: it holds nothing. Its objects stay biased to its address. The next
// thread with this address, which runs after the first has ended, counts them plainly, or other
// threads revoke the bias.
#pragma once

#include <freehold/count/detail/bias.hpp>
#include <freehold/count/detail/weak_word.hpp>

#include <atomic>
#include <cstdint>

namespace freehold::inline FREEHOLD_ABI::detail {

template <class Platform>
class basic_biased_word {
    using record = basic_bias_record<Platform>;

public:
    constexpr basic_biased_word(std::int64_t word, std::uintptr_t owner) noexcept
        : word_(word), owner_(owner) {}

    // This function, like the subtraction, is short enough to be inlined. Rare cases are in
    // functions of their own.
    template <std::int64_t Unit>
    [[gnu::always_inline]] void add() noexcept {
        // acquire: a thread that reads `shared` counts after all that was counted plainly.
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

    // Returns `done` if units are left, and `last` if the word was `Alone`; the word may still be
    // `Alone` then. The caller passes any other outcome to settle().
    template <std::int64_t Unit, std::int64_t Alone>
    [[nodiscard, gnu::always_inline]] sequence_outcome subtract() noexcept {
        // acquire: as above. A thread that makes a second handle notes it before that handle or
        // this one can be released here.
        const std::uintptr_t owner = owner_.load(std::memory_order_acquire);
        // `last` from a sequence needs no acquire: no other thread has changed the word by then. If
        // there were other handles, they came back to this thread, and it released them here.
        if (is_record(owner)) [[likely]]
            return Platform::template subtract<Unit, Alone>(word_, *as_record(owner));
        if (owner == shared) return subtract_atomically<Unit, Alone>();
        return owner == fresh ? sequence_outcome::last : sequence_outcome::none;
    }
    // Returns `few` if this was the last unit, but not all that the word counts.
    template <std::int64_t Unit, std::int64_t Alone>
    [[nodiscard, gnu::noinline]] sequence_outcome settle(sequence_outcome seen) noexcept {
        if (seen == sequence_outcome::refused) {
            if (!unbias_unless_alone<Alone>()) return sequence_outcome::last;
            seen = subtract_atomically<Unit, Alone>();
        } else if (seen == sequence_outcome::few) {
            // relaxed: if more was subtracted than there was, this thread subtracted it.
            if (word_.load(std::memory_order_relaxed) < 0) weak_word::used_at_rest();
        }
        if (seen == sequence_outcome::none) weak_word::used_at_rest();
        return seen;
    }

    // The caller is the last holder, and releases memory that a thread may read again.
    void rest() noexcept {
        // relaxed: the memory's next user learns of it by another synchronisation.
        owner_.store(at_rest, std::memory_order_relaxed);
    }

    // Gives up the bias: at little cost if the calling thread has it, and by a revocation
    // otherwise.
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
        // acquire: a holder that reads 1 may write to the object (copy on write). Its writes must
        // come after what former holders did. The commit of a sequence is a release: every store of
        // an x86 is.
        return word_.load(std::memory_order_acquire);
    }

    // Whether the last handle has been released.
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
        // relaxed: the thread that copies a handle already sees the object, and publishes nothing
        // by the copy.
        const std::int64_t before = word_.fetch_add(Unit, std::memory_order_relaxed);
        if (weak_word::after_adding(Unit, before) < 0) [[unlikely]]
            weak_word::overflow();
    }
    template <std::int64_t Unit>
    [[gnu::noinline]] void add_to_unshared() noexcept {
        // relaxed: nothing was counted plainly since the load in add().
        if (owner_.load(std::memory_order_relaxed) == at_rest) weak_word::used_at_rest();
        // relaxed: as in add_atomically(). The first handle of all leaves the object fresh.
        if (word_.fetch_add(Unit, std::memory_order_relaxed) != 0) note_sharing();
    }

    template <std::int64_t Unit, std::int64_t Alone>
    [[gnu::always_inline]] sequence_outcome subtract_atomically() noexcept {
        // release: what this holder did happens before the destruction. acquire: the destroying
        // thread comes after the other holders.
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
            // relaxed: as for a copy; the weak reference came from an owner that saw the object.
        } while (!word_.compare_exchange_weak(word, locked, std::memory_order_relaxed,
                                              std::memory_order_relaxed));
        return true;
    }

    void note_sharing() noexcept {
        // relaxed: the load only avoids a write to the cache line if other threads use it too.
        if (owner_.load(std::memory_order_relaxed) != shared) {
            // release: a thread that reads `shared` comes after the revocation, and so after what
            // was counted plainly.
            owner_.store(shared, std::memory_order_release);
        }
    }

    typename Platform::template atomic<std::int64_t> word_;
    typename Platform::template atomic<std::uintptr_t> owner_;
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
