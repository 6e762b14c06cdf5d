// SPDX-License-Identifier: BSL-1.0
// What it is: the slow paths of readers that debts.hpp names, and all that writers do. The core
// compiles them once.
//
// Two threads agree by accesses that are sequentially consistent on both sides. The reader
// exchanges `owed` or `wanted`, and then loads the place or `paid`. The writer exchanges the place
// or `paid`, and then loads `owed` or `wanted`. At least one of the two sees what the other has
// written.
#pragma once

#include <freehold/handle/detail/atomic/debts.hpp>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace freehold::inline FREEHOLD_ABI::detail {

template <class Platform>
class debt_steps {
    using debt = basic_debt<Platform>;
    using reader = basic_reader<Platform>;
    template <class Place>
    using reading = basic_reading<Platform, Place>;

public:
    // The first attempt has failed. This function withdraws its debt, and starts again.
    template <class Place>
    [[nodiscard, gnu::noinline, gnu::cold]] static reading<Place> protect_again(
        const Place& place, const owner_kind& kind, debt& tried, debt_key vain) noexcept {
        surplus owned;
        withdraw(tried, vain, owned);
        return protect(place, kind, owned);
    }
    // In an odd phase, one attempt with the slot that was free last, before all else.
    template <class Place>
    [[nodiscard, gnu::always_inline]] static reading<Place> protect(
        const Place& place, const owner_kind& kind) noexcept {
        debt& free = *Platform::next_debt();
        // relaxed, both: the exchange of `owed` acquires, and a reader may execute a fence in every
        // phase. A thread without a reader has a slot that is not free.
        if (free.owed.load(std::memory_order_relaxed) != debt::none ||
            is_even(Platform::readers().phase.load(std::memory_order_relaxed)) ||
            !Place::is_read_at_once()) [[unlikely]]
            return protect_anew(place, kind);
        note_fence(*Platform::this_reader());
        reading<Place> result;
        debt_key key;
        if (try_to_protect_with_a_fence(place, kind, free, result, key)) [[likely]]
            return result;
        return protect_again(place, kind, free, key);
    }

    [[nodiscard]] static bool end(debt& ended, debt_key key) noexcept {
        const bool was_paid = take_payment(ended, key);
        // release: as in debts.hpp.
        ended.owed.store(debt::none, std::memory_order_release);
        return was_paid;
    }

    // Returns what the place held. The caller owns the count that the place had.
    template <class Place>
    static typename Place::words replace(Place& place, typename Place::words desired,
                                         const owner_kind& kind) noexcept {
        const typename Platform::lock section;
        return replace_locked(place, desired, kind);
    }

    // Returns what the place held, with a count that the caller owns. If the place held `expected`,
    // that is the count of the place.
    template <class Place>
    static typename Place::words replace_if(Place& place, typename Place::words expected,
                                            typename Place::words desired,
                                            const owner_kind& kind) noexcept {
        const typename Platform::lock section;
        const typename Place::words present = place.load();
        if (present == expected) return replace_locked(place, desired, kind);
        add(present, kind, place);
        return present;
    }

    // As replace_if, for a caller that `protecting`, unless it is null, protects `expected` for.
    // Returns whether the place held `expected`. If so, the caller owns the count of the place,
    // which protects as well as the debt: the debt ends, and `protecting` becomes null, unless the
    // debt was paid before. Otherwise the place would be replaced with five more locked
    // instructions, to pay this debt and to take the payment back. If not, nothing is counted.
    template <class Place>
    [[nodiscard]] static bool replace_protected(Place& place, typename Place::words expected,
                                                typename Place::words desired,
                                                const owner_kind& kind,
                                                debt*& protecting) noexcept {
        const typename Platform::lock section;
        if (place.load() != expected) return false;
        // relaxed: writers write it under the lock, and otherwise only the calling thread does.
        if (protecting != nullptr &&
            protecting->paid.load(std::memory_order_relaxed) == debt::none) {
            // release: as in debts.hpp.
            protecting->owed.store(debt::none, std::memory_order_release);
            protecting = nullptr;
        }
        replace_locked(place, desired, kind);
        return true;
    }

    // Pays all debts of a key. No place holds the key any more, and no thread reads it.
    static void pay_all(debt_key key, const owner_kind& kind) noexcept {
        bool is_owed = false;
        for_each_reader([&](reader& each) {
            for (const debt& one : each.debts) {
                // acquire: everything that a former reader did happens before the destruction.
                if (one.owed.load(std::memory_order_acquire) == key) is_owed = true;
            }
        });
        if (!is_owed) return;
        const typename Platform::lock section;
        let_readers_fence();
        for_each_reader([&](reader& each) { pay_all_of(each, key, kind); });
    }

    // Returns a reader for a thread that has none: the reader of a thread that has exited, or a new
    // one. Returns null if memory is exhausted.
    [[nodiscard]] static reader* take_reader() noexcept {
        auto& first = Platform::readers().first;
        // acquire: this thread sees each reader fully constructed.
        for (reader* each = first.load(std::memory_order_acquire); each != nullptr;
             each = each->next) {
            bool used = false;
            // acquire: everything that the exited thread did happens before.
            if (each->in_use.compare_exchange_strong(used, true, std::memory_order_acquire,
                                                     std::memory_order_relaxed))
                return each;
        }
        reader* const made = Platform::make_reader();
        if (made == nullptr) return nullptr;
        // relaxed: this thread has acquired `first` and all that it points to. The exchange below
        // releases them again.
        made->next = first.load(std::memory_order_relaxed);
        // seq_cst: if a writer does not look at this reader, the writer has stored before this
        // thread reads. A failure is relaxed, like the load above.
        while (!first.compare_exchange_strong(made->next, made, std::memory_order_seq_cst,
                                              std::memory_order_relaxed)) {
        }
        return made;
    }

    // Called by the only thread of a child process. The other threads do not exist there. This
    // function withdraws their requests, and frees their readers for new threads.
    static void forget_others(const reader* mine) noexcept {
        for_each_reader([&](reader& each) {
            if (&each == mine) return;
            // relaxed, both: there is no other thread.
            each.wanted.store(reader::nothing, std::memory_order_relaxed);
            each.in_use.store(false, std::memory_order_relaxed);
        });
    }

private:
    // After this many failed attempts, a reader asks the writers for the value. Two more attempts
    // may fail until it gets the value. The first write may have begun before the request. The
    // second write begins after the first has ended, so it sees the request.
    static constexpr int attempts_alone = 2;
    static constexpr std::size_t most_attempts = attempts_alone + 2;

    // Counts that writers paid for withdrawn debts. The destructor gives them up, after all other
    // work, because giving up a count may destroy an object, and so run any code.
    class surplus {
    public:
        surplus() noexcept = default;
        surplus(const surplus&) = delete;
        surplus& operator=(const surplus&) = delete;
        ~surplus() {
            for (std::size_t i = 0; i != size_; ++i) counts_[i].kind->give_up(counts_[i].key);
        }
        void add(const owner_kind& kind, debt_key key) noexcept {
            counts_[size_] = {&kind, key};
            ++size_;
        }

    private:
        struct count {
            const owner_kind* kind;
            debt_key key;
        };
        // The first attempt, one in an even phase, `most_attempts` others, and one value that a
        // writer gave too late.
        std::array<count, 2 + most_attempts + 1> counts_;
        std::size_t size_ = 0;
    };

    template <class Place>
    static debt_key key_in(const Place&, typename Place::words words,
                           const owner_kind& kind) noexcept {
        return kind.key_of(Place::word_of(words));
    }

    template <class Place>
    static void add(typename Place::words words, const owner_kind& kind,
                    const Place& place) noexcept {
        if (Place::word_of(words) != 0) kind.add(key_in(place, words, kind));
    }

    template <class Visit>
    [[gnu::always_inline]] static void for_each_reader(Visit visit) noexcept {
        // seq_cst: see take_reader. The list after the first reader never changes.
        for (reader* each = Platform::readers().first.load(std::memory_order_seq_cst);
             each != nullptr; each = each->next)
            visit(*each);
    }

    // --- readers

    template <class Place>
    static reading<Place> protect(const Place& place, const owner_kind& kind,
                                  surplus& owned) noexcept {
        // This call comes first, because it finds out whether the processor reads two words at
        // once.
        reader* const mine = Platform::this_reader();
        if (mine == nullptr || !Place::is_read_at_once()) return count(place, kind);
        // acquire: as in debts.hpp.
        const std::uint64_t phase = Platform::readers().phase.load(std::memory_order_acquire);
        if (!is_even(phase)) note_fence(*mine);
        debt* const free = free_debt(*mine);
        if (free == nullptr) return protect_and_count(*mine, place, kind, owned);
        Platform::next_debt() = free;
        if (is_even(phase)) {
            reading<Place> result;
            debt_key key;
            if (try_to_protect(place, kind.key_of, *free, phase, result, key)) return result;
            withdraw(*free, key, owned);
        }
        return protect_with(*mine, *free, place, kind, owned);
    }

    static debt* free_debt(reader& mine) noexcept {
        for (std::size_t i = 0; i != reader::lasting_debts; ++i) {
            // acquire: as in debts.hpp.
            if (mine.debts[i].owed.load(std::memory_order_acquire) == debt::none)
                return &mine.debts[i];
        }
        return nullptr;
    }

    template <class Place>
    [[nodiscard, gnu::noinline]] static reading<Place> protect_anew(
        const Place& place, const owner_kind& kind) noexcept {
        surplus owned;
        return protect(place, kind, owned);
    }

    // As try_to_protect, in any phase.
    template <class Place>
    [[nodiscard, gnu::always_inline]] static bool try_to_protect_with_a_fence(
        const Place& place, const owner_kind& kind, debt& free, reading<Place>& result,
        debt_key& key) noexcept {
        // seq_cst: protect_with calls this function after its exchange of `wanted`. So a writer
        // that changes the place after this load sees that exchange.
        key = kind.key_of(place.load_word(std::memory_order_seq_cst));
        // seq_cst: pairs with the exchange in replace_locked.
        free.owed.exchange(key, std::memory_order_seq_cst);
        result = {place.load(), &free};
        return key_in(place, result.words, kind) == key;
    }

    template <class Place>
    static reading<Place> protect_with(reader& mine, debt& free, const Place& place,
                                       const owner_kind& kind, surplus& owned) noexcept {
        for (int attempts = 1;; ++attempts) {
            reading<Place> result;
            debt_key key;
            if (try_to_protect_with_a_fence(place, kind, free, result, key)) {
                if (attempts > attempts_alone) decline(mine, place, kind, owned);
                return result;
            }
            withdraw(free, key, owned);
            if (attempts == attempts_alone) {
                // seq_cst: pairs with the exchange in replace_locked.
                mine.wanted.exchange(address_of(place), std::memory_order_seq_cst);
            } else if (attempts > attempts_alone &&
                       // acquire: the writer has written and counted the value before.
                       mine.wanted.load(std::memory_order_acquire) == reader::served) {
                return {accept<Place>(mine), nullptr};
            }
        }
    }

    // For a thread whose slots are all in use. This function protects the value with the slot for
    // counting, and counts it.
    template <class Place>
    static reading<Place> protect_and_count(reader& mine, const Place& place,
                                            const owner_kind& kind, surplus& owned) noexcept {
        debt& brief = mine.debts[reader::lasting_debts];
        // acquire: as in debts.hpp. The slot stays in use for ever if a fork lost its thread at
        // this moment.
        if (brief.owed.load(std::memory_order_acquire) != debt::none) return count(place, kind);
        reading<Place> result = protect_with(mine, brief, place, kind, owned);
        if (result.debt != nullptr) {
            add(result.words, kind, place);
            const debt_key key = key_in(place, result.words, kind);
            if (end(brief, key)) owned.add(kind, key);
            result.debt = nullptr;
        }
        return result;
    }

    // For a thread without a reader, and for processors that cannot read two words at once.
    template <class Place>
    static reading<Place> count(const Place& place, const owner_kind& kind) noexcept {
        const typename Platform::lock section;
        const reading<Place> result = {place.load(), nullptr};
        add(result.words, kind, place);
        return result;
    }

    [[nodiscard]] static bool take_payment(debt& from, debt_key key) noexcept {
        // seq_cst: pairs with the exchange in pay.
        from.owed.exchange(debt::ending, std::memory_order_seq_cst);
        debt_key paid = key;
        // seq_cst: as above. acquire: the writer has added the count before.
        return from.paid.load(std::memory_order_seq_cst) == key &&
               from.paid.compare_exchange_strong(paid, debt::none, std::memory_order_acquire,
                                                 std::memory_order_relaxed);
    }

    // Withdraws a debt whose key may be in no place any more. So the payer may have been a writer
    // of another type.
    static void withdraw(debt& vain, debt_key key, surplus& owned) noexcept {
        // relaxed: the payer was written before `paid`, which this thread has acquired. No other
        // key has been paid here since then.
        if (take_payment(vain, key)) owned.add(*vain.payer.load(std::memory_order_relaxed), key);
        // release: as in debts.hpp.
        vain.owed.store(debt::none, std::memory_order_release);
    }

    template <class Place>
    static std::uintptr_t address_of(const Place& place) noexcept {
        return reinterpret_cast<std::uintptr_t>(&place);
    }

    template <class Place>
    static typename Place::words accept(const reader& mine) noexcept {
        // relaxed, both: the writer has written them before `wanted` became `served`. No writer
        // writes them again before this thread's next request, which changes `wanted`.
        return Place::from(mine.given_word.load(std::memory_order_relaxed),
                           mine.given_other.load(std::memory_order_relaxed));
    }

    template <class Place>
    static void decline(reader& mine, const Place& place, const owner_kind& kind,
                        surplus& owned) noexcept {
        std::uintptr_t wanted = address_of(place);
        // acquire: if the exchange fails, a writer has given a value, as in protect_with.
        if (mine.wanted.compare_exchange_strong(wanted, reader::nothing, std::memory_order_acquire,
                                                std::memory_order_acquire))
            return;
        const typename Place::words given = accept<Place>(mine);
        if (Place::word_of(given) != 0) owned.add(kind, key_in(place, given, kind));
    }

    static void note_fence(reader& mine) noexcept {
        // relaxed: an older number is good enough.
        const std::uint64_t writes = Platform::readers().writes.load(std::memory_order_relaxed);
        if (mine.writes_seen != writes) {
            mine.writes_seen = writes;
            mine.fences = 0;
        } else if (++mine.fences == Platform::fences_for_a_barrier) {
            mine.fences = 0;
            let_writers_fence(writes);
        }
    }

    // Does not wait for the lock. If a writer holds it, that writer changes the number of writes
    // anyway.
    static void let_writers_fence(std::uint64_t writes) noexcept {
        if (!Platform::can_fence_everywhere()) return;
        const typename Platform::lock section(unless_taken{});
        if (!section.is_held()) return;
        auto& all = Platform::readers();
        // relaxed, both: written under the lock only.
        const std::uint64_t phase = all.phase.load(std::memory_order_relaxed);
        if (is_even(phase) || all.writes.load(std::memory_order_relaxed) != writes) return;
        // release: all former stores and payments happen before any thread finds the phase even.
        all.phase.store(phase + 1, std::memory_order_release);
    }

    // --- writers, with the lock held

    [[gnu::always_inline]] static void let_readers_fence() noexcept {
        // relaxed: written under the lock only.
        const std::uint64_t phase = Platform::readers().phase.load(std::memory_order_relaxed);
        if (is_even(phase)) begin_odd_phase(phase + 1);
    }
    [[gnu::noinline, gnu::cold]] static void begin_odd_phase(std::uint64_t phase) noexcept {
        // relaxed: the barrier orders the store.
        Platform::readers().phase.store(phase, std::memory_order_relaxed);
        Platform::fence_everywhere();
    }

    template <class Place>
    static typename Place::words replace_locked(Place& place, typename Place::words desired,
                                                const owner_kind& kind) noexcept {
        let_readers_fence();
        auto& writes = Platform::readers().writes;
        // relaxed, both: written under the lock only.
        writes.store(writes.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
        // seq_cst: pairs with the exchanges in protect_with.
        const typename Place::words former = place.exchange(desired);
        const debt_key key = key_in(place, former, kind);
        const bool was_null = Place::word_of(former) == 0;
        // Inlined by force: clang++ would call it for each reader.
        for_each_reader([&](reader & each) __attribute__((always_inline)) {
            if (owes(each, key) && !was_null) [[unlikely]]
                pay_all_of(each, key, kind);
            // seq_cst: pairs with the exchange in protect_with.
            if (each.wanted.load(std::memory_order_seq_cst) == address_of(place)) [[unlikely]]
                give(each, place, desired, kind);
        });
        return former;
    }

    // Most readers do not owe the key, so this is a straight row of comparisons.
    [[nodiscard, gnu::always_inline]] static bool owes(const reader& each, debt_key key) noexcept {
        bool found = false;
#pragma GCC unroll 16
        for (const debt& one : each.debts) {
            // seq_cst: as in pay.
            found |= one.owed.load(std::memory_order_seq_cst) == key;
        }
        return found;
    }

    [[gnu::noinline, gnu::cold]] static void pay_all_of(reader& each, debt_key key,
                                                        const owner_kind& kind) noexcept {
        for (debt& one : each.debts) pay(one, key, kind);
    }

    // The calling thread has a count of the key. So the count that it adds and takes back is not
    // the last one.
    static void pay(debt& one, debt_key key, const owner_kind& kind) noexcept {
        // seq_cst: pairs with the exchange in protect_with. acquire: if the debt has ended,
        // everything that its holder did happens before the destruction.
        if (one.owed.load(std::memory_order_seq_cst) != key) return;
        // relaxed: the lock orders the payments of other writers. The acquire above orders what the
        // reader has taken.
        if (one.paid.load(std::memory_order_relaxed) == key) return;
        kind.add(key);
        // relaxed: released by the exchange.
        one.payer.store(&kind, std::memory_order_relaxed);
        // seq_cst: pairs with the exchange in take_payment.
        one.paid.exchange(key, std::memory_order_seq_cst);
        // seq_cst: as above.
        if (one.owed.load(std::memory_order_seq_cst) == key) return;
        debt_key paid = key;
        // relaxed: this thread itself has added the count.
        if (one.paid.compare_exchange_strong(paid, debt::none, std::memory_order_relaxed,
                                             std::memory_order_relaxed))
            kind.give_up(key);
    }

    // The reader wants the place's value. The calling thread holds the lock. So the place keeps its
    // value and a count of it during this call.
    template <class Place>
    [[gnu::noinline, gnu::cold]] static void give(reader& each, const Place& place,
                                                  typename Place::words value,
                                                  const owner_kind& kind) noexcept {
        add(value, kind, place);
        // relaxed, both: released by the exchange.
        each.given_word.store(Place::word_of(value), std::memory_order_relaxed);
        each.given_other.store(Place::other_word_of(value), std::memory_order_relaxed);
        std::uintptr_t wanted = address_of(place);
        // release: publishes the two stores above. relaxed: the reader has declined the value.
        if (!each.wanted.compare_exchange_strong(wanted, reader::served, std::memory_order_release,
                                                 std::memory_order_relaxed)) {
            if (Place::word_of(value) != 0) kind.give_up(key_in(place, value, kind));
        }
    }
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
