// SPDX-License-Identifier: BSL-1.0
// What the counts run on in the model: atomics that a model checker checks, and restartable
// sequences.
//
// A sequence of the model does what restartable.hpp promises and no more. Each thread has a lock of
// its own, which a sequence holds from its beginning to its end, and which restart_all passes, that
// of each thread in turn: so no restart_all returns while a sequence that began before it goes on,
// be it that the sequence has ended first, or, as on the machine, that it starts over. Loads are
// relaxed, but for one that says so; the commit is a store with release order. What the caller of
// restart_all did before is seen by all sequences that begin later, and what was done before the
// end of a sequence is seen by the later callers of restart_all; between any other two threads,
// sequences order nothing.
#pragma once

#include <freehold/count/detail/bias.hpp>
#include <freehold/count/detail/restartable.hpp>
#include <freehold/count/detail/shard_sequence.hpp>

#include "model/checker.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace freehold::model {

using detail::sequence_outcome;

constexpr int threads = 3;

// A thread's identity, as a thread pointer is: another thread may have it after its end.
using identity = const char*;

// A processor's shard of a count.
struct checked_shard {
    checked_atomic<std::int64_t> counted{0}, given_up{0};
};
// How often a count was shared out. To be guarded by the lock.
class checked_sharers {
public:
    std::int64_t operator++() { return set(value_ + 1); }
    std::int64_t operator--() { return set(value_ - 1); }
    std::int64_t set(std::int64_t value) {
        guarded_.write(1);
        return value_ = value;
    }
    [[nodiscard]] std::int64_t get() {
        static_cast<void>(guarded_.read());
        return value_;
    }

private:
    plain guarded_;
    std::int64_t value_ = 0;
};
// The shards of a count, one for each thread, which has a processor of its own.
struct checked_column {
    std::array<checked_shard, threads + 1> shards;
    checked_sharers sharers;
};

// What a scenario has beside its objects. Made afresh for each run of it.
struct machine {
    std::array<mutex, threads + 1> sequences;
    mutex lock;
    std::array<identity, threads + 1> identities;
    // The first is no count's.
    std::array<checked_column, 3> columns;
    // While the scenario is set up and taken down there is one thread, which is none of them.
    bool concurrent = false;

    [[nodiscard]] std::size_t self() const {
        return concurrent ? thread_index() : std::size_t{threads};
    }
};
inline machine* current = nullptr;

struct checked_atomics {
    template <class T>
    using atomic = checked_atomic<T>;

    // So that what plain counting leaves, threads find.
    static bool single_threaded() noexcept { return !current->concurrent; }
    template <class T>
    static T read_plainly(const checked_atomic<T>& read) noexcept {
        return read.load(std::memory_order_relaxed);
    }
    template <class T>
    static T add_plainly(checked_atomic<T>& changed, T value) noexcept {
        const T sum = changed.load(std::memory_order_relaxed) + value;
        changed.store(sum, std::memory_order_relaxed);
        return sum;
    }
};

// Holds a mutex, if there are threads, unless a mutation leaves that out.
class holder {
public:
    holder(mutex& held, const char* file, unsigned line)
        : held_(!current->concurrent || is_left_out(file, line) ? nullptr : &held) {
        if (held_ != nullptr) held_->lock(file, line);
    }
    ~holder() {
        if (held_ != nullptr) held_->unlock();
    }
    holder(const holder&) = delete;
    holder& operator=(const holder&) = delete;

private:
    mutex* held_;
};

struct platform : checked_atomics {
    struct lock : holder {
        explicit lock(const char* file = __builtin_FILE(), unsigned line = __builtin_LINE())
            : holder(current->lock, file, line) {}
    };

    static const void* this_thread() { return current->identities[current->self()]; }

    static void restart_all(const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
        if (is_left_out(file, line)) return;
        for (mutex& each : current->sequences) {
            each.lock(file, line);
            each.unlock();
        }
    }

    template <std::int64_t Unit, class Word, class Record>
    static sequence_outcome add(Word& word, const Record& record) {
        const sequence whole;
        if (!names_this_thread(record)) return sequence_outcome::refused;
        word.commit(word.read() + Unit);
        return sequence_outcome::done;
    }

    template <std::int64_t Unit, class Word, class Record>
    static sequence_outcome add_to_some(Word& word, const Record& record) {
        const sequence whole;
        if (!names_this_thread(record)) return sequence_outcome::refused;
        const std::int64_t value = word.read();
        if (value < Unit) return sequence_outcome::none;
        word.commit(value + Unit);
        return sequence_outcome::done;
    }

    template <std::int64_t Unit, std::int64_t Alone, class Word, class Record>
    static sequence_outcome subtract(Word& word, const Record& record) {
        const sequence whole;
        if (!names_this_thread(record)) return sequence_outcome::refused;
        const std::int64_t value = word.read();
        if (value == Alone) return sequence_outcome::last;
        word.commit(value - Unit);
        return value < 2 * Unit ? sequence_outcome::few : sequence_outcome::done;
    }

    template <std::int64_t Alone, std::uintptr_t Fresh, std::uintptr_t Shared, class Word,
              class Owner, class Record>
    static sequence_outcome share(const Word& word, Owner& owner, const Record& record) {
        const sequence whole;
        if (!names_this_thread(record)) return sequence_outcome::refused;
        owner.commit(word.read() == Alone ? Fresh : Shared);
        return sequence_outcome::done;
    }

    template <detail::shard_side Side>
    static bool add_to_own_shard(const checked_atomic<std::uint16_t>& present,
                                 std::int64_t owners) {
        const std::uint16_t column = present.read();
        if (column == 0) return false;
        const sequence whole;
        if (!is_column(present, column)) return false;
        checked_shard& own = current->columns[column].shards[current->self()];
        auto& side = Side == detail::shard_side::counted ? own.counted : own.given_up;
        side.commit(side.read() + owners);
        return true;
    }
    static std::int64_t sum_of(std::uint16_t column) {
        std::int64_t sum = 0;
        for (const checked_shard& each : current->columns[column].shards)
            sum += each.counted.read() - each.given_up.read();
        return sum;
    }
    static std::uint16_t take_column() {
        for (std::uint16_t column = 1; column != current->columns.size(); ++column) {
            if (sharers_of(column).get() != 0) continue;
            sharers_of(column).set(1);
            return column;
        }
        return 0;
    }
    static checked_sharers& sharers_of(std::uint16_t column) {
        return current->columns[column].sharers;
    }
    static std::int64_t give_back_column(std::uint16_t column) {
        const std::int64_t sum = sum_of(column);
        for (checked_shard& each : current->columns[column].shards) {
            each.counted.commit(0);
            each.given_up.commit(0);
        }
        return sum;
    }

private:
    // Acquires, as shard_sequence.hpp says of this comparison.
    static bool is_column(const checked_atomic<std::uint16_t>& present, std::uint16_t column,
                          const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
        return is_left_out(file, line) || present.load(std::memory_order_acquire) == column;
    }

    struct sequence : holder {
        explicit sequence(const char* file = __builtin_FILE(), unsigned line = __builtin_LINE())
            : holder(current->sequences[current->self()], file, line) {}
    };

    template <class Record>
    static bool names_this_thread(const Record& record, const char* file = __builtin_FILE(),
                                  unsigned line = __builtin_LINE()) {
        return is_left_out(file, line) || record.thread.read() == this_thread();
    }
};

}  // namespace freehold::model
