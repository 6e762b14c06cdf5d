// SPDX-License-Identifier: BSL-1.0
// What the counts run on in the model: atomics that a model checker checks, and restartable
// sequences.
//
// A sequence of the model does what restartable.hpp promises and no more. Each thread has a lock of
// its own, which a sequence holds from its beginning to its end, and which restart_all passes, that
// of each thread in turn: so no restart_all returns while a sequence that began before it goes on,
// be it that the sequence has ended first, or, as on the machine, that it starts over. Loads are
// relaxed, the commit is a store with release order. What the caller of restart_all did before is
// seen by all sequences that begin later, and what was done before the end of a sequence is seen by
// the later callers of restart_all; between any other two threads, sequences order nothing.
#pragma once

#include <freehold/count/detail/bias.hpp>
#include <freehold/count/detail/restartable.hpp>

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

// What a scenario has beside its objects. Made afresh for each run of it.
struct machine {
    std::array<mutex, threads + 1> sequences;
    mutex lock;
    std::array<identity, threads + 1> identities;
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

private:
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
