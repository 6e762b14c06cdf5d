// SPDX-License-Identifier: BSL-1.0
// What the counts run on in the model: atomics that Relacy checks, and restartable sequences.
//
// A sequence of the model does what restartable.hpp promises and no more. Its loads are relaxed;
// its commit is a store with release order, which happens only if nobody has called restart_all
// since the sequence began. Each thread has a lock of its own for that: a sequence passes it when
// it begins and holds it for its commit, and restart_all passes that of each thread in turn. So
// what the caller of restart_all did before is seen by all sequences that begin later, and what was
// committed is seen by that caller; between any other two threads, sequences order nothing.
#pragma once

#include "model/mutation.hpp"
#include "model/relacy.hpp"

namespace freehold::model {

using detail::sequence_outcome;

constexpr int threads = 3;

// A thread's identity, as a thread pointer is: another thread may have it after its end.
using identity = const char*;

// What a scenario has beside its objects. Made afresh for each run of it.
struct machine {
    struct processor {
        rl::mutex commits;
        int restarts = 0;
    };
    std::array<processor, threads + 1> processors;
    rl::mutex lock;
    std::array<identity, threads + 1> identities{};
    // While the scenario is set up and taken down there is one thread, which is none of them.
    bool concurrent = false;

    [[nodiscard]] std::size_t self() const {
        return concurrent ? static_cast<std::size_t>(rl::thread_index()) : std::size_t{threads};
    }
};
inline machine* current = nullptr;

#define FREEHOLD_MODEL_INFO rl::debug_info("", file, line)

template <class T>
class checked_atomic {
public:
    explicit checked_atomic(T initial) noexcept {
        value_.store(bits(initial), rl::mo_relaxed, rl::debug_info());
    }
    checked_atomic(const checked_atomic&) = delete;
    checked_atomic& operator=(const checked_atomic&) = delete;

    T load(std::memory_order order, const char* file = __builtin_FILE(),
           unsigned line = __builtin_LINE()) const noexcept {
        const change by = changed({file, line, operation::load, order});
        return from(value_.load(relacy_order(ordered(order, by)), FREEHOLD_MODEL_INFO));
    }

    void store(T value, std::memory_order order, const char* file = __builtin_FILE(),
               unsigned line = __builtin_LINE()) noexcept {
        const change by = changed({file, line, operation::store, order});
        if (by != change::skipped)
            value_.store(bits(value), relacy_order(ordered(order, by)), FREEHOLD_MODEL_INFO);
    }

    T fetch_add(T value, std::memory_order order, const char* file = __builtin_FILE(),
                unsigned line = __builtin_LINE()) noexcept {
        return add(bits(value), order, file, line);
    }
    T fetch_sub(T value, std::memory_order order, const char* file = __builtin_FILE(),
                unsigned line = __builtin_LINE()) noexcept {
        return add(-bits(value), order, file, line);
    }

    bool compare_exchange_weak(T& expected, T desired, std::memory_order order,
                               std::memory_order failed, const char* file = __builtin_FILE(),
                               unsigned line = __builtin_LINE()) noexcept {
        const change by = changed({file, line, operation::read_modify_write, order});
        std::uint64_t compared = bits(expected);
        bool done = false;
        if (by == change::in_two || by == change::skipped) {
            compared = value_.load(relacy_order(failed), FREEHOLD_MODEL_INFO);
            done = compared == bits(expected);
            if (done && by == change::in_two)
                value_.store(bits(desired), rl::mo_relaxed, FREEHOLD_MODEL_INFO);
        } else {
            done = value_.compare_exchange(rl::bool_t<true>(), compared, bits(desired),
                                           relacy_order(ordered(order, by)), relacy_order(failed),
                                           FREEHOLD_MODEL_INFO);
        }
        expected = from(compared);
        return done;
    }

    // For sequences, which are no part of the code under test.
    T read() const noexcept { return from(value_.load(rl::mo_relaxed, rl::debug_info())); }
    void commit(T value) noexcept { value_.store(bits(value), rl::mo_release, rl::debug_info()); }

private:
    static std::uint64_t bits(T value) noexcept {
        if constexpr (std::is_pointer_v<T>) {
            return reinterpret_cast<std::uint64_t>(value);
        } else {
            return static_cast<std::uint64_t>(value);
        }
    }
    static T from(std::uint64_t value) noexcept {
        if constexpr (std::is_pointer_v<T>) {
            return reinterpret_cast<T>(value);
        } else {
            return static_cast<T>(value);
        }
    }

    T add(std::uint64_t difference, std::memory_order order, const char* file,
          unsigned line) noexcept {
        const change by = changed({file, line, operation::read_modify_write, order});
        if (by == change::in_two || by == change::skipped) {
            const std::uint64_t before = value_.load(rl::mo_acquire, FREEHOLD_MODEL_INFO);
            if (by == change::in_two)
                value_.store(before + difference, rl::mo_release, FREEHOLD_MODEL_INFO);
            return from(before);
        }
        return from(value_.rmw(rl::rmw_type_t<rl::rmw_type_add>(), difference,
                               relacy_order(ordered(order, by)), FREEHOLD_MODEL_INFO));
    }

    mutable rl::atomic<std::uint64_t> value_;
};

#undef FREEHOLD_MODEL_INFO

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

struct platform : checked_atomics {
    class lock {
    public:
        explicit lock(const char* file = __builtin_FILE(), unsigned line = __builtin_LINE())
            : taken_(changed({file, line, operation::step}) != change::skipped) {
            if (taken_) current->lock.lock(rl::debug_info("", file, line));
        }
        ~lock() {
            if (taken_) current->lock.unlock(rl::debug_info());
        }
        lock(const lock&) = delete;
        lock& operator=(const lock&) = delete;

    private:
        bool taken_;
    };

    static const void* this_thread() { return current->identities[current->self()]; }

    static void restart_all(const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
        if (changed({file, line, operation::step}) == change::skipped) return;
        for (machine::processor& each : current->processors) {
            each.commits.lock(rl::debug_info("", file, line));
            ++each.restarts;
            each.commits.unlock(rl::debug_info());
        }
    }

    template <std::int64_t Unit, class Word, class Record>
    static sequence_outcome add(Word& word, const Record& record) {
        for (;;) {
            const int begun = begin();
            if (!names_this_thread(record)) return sequence_outcome::refused;
            const std::int64_t value = word.read();
            if (commit(begun, word, value + Unit)) return sequence_outcome::done;
        }
    }

    template <std::int64_t Unit, class Word, class Record>
    static sequence_outcome add_to_some(Word& word, const Record& record) {
        for (;;) {
            const int begun = begin();
            if (!names_this_thread(record)) return sequence_outcome::refused;
            const std::int64_t value = word.read();
            if (value < Unit) return sequence_outcome::none;
            if (commit(begun, word, value + Unit)) return sequence_outcome::done;
        }
    }

    template <std::int64_t Unit, std::int64_t Alone, class Word, class Record>
    static sequence_outcome subtract(Word& word, const Record& record) {
        for (;;) {
            const int begun = begin();
            if (!names_this_thread(record)) return sequence_outcome::refused;
            const std::int64_t value = word.read();
            if (value == Alone) return sequence_outcome::last;
            if (commit(begun, word, value - Unit))
                return value < 2 * Unit ? sequence_outcome::few : sequence_outcome::done;
        }
    }

    template <std::int64_t Alone, std::uintptr_t Fresh, std::uintptr_t Shared, class Word,
              class Owner, class Record>
    static sequence_outcome share(const Word& word, Owner& owner, const Record& record) {
        for (;;) {
            const int begun = begin();
            if (!names_this_thread(record)) return sequence_outcome::refused;
            if (commit(begun, owner, word.read() == Alone ? Fresh : Shared))
                return sequence_outcome::done;
        }
    }

private:
    static machine::processor& here() { return current->processors[current->self()]; }

    static int begin() {
        here().commits.lock(rl::debug_info());
        const int restarts = here().restarts;
        here().commits.unlock(rl::debug_info());
        return restarts;
    }

    template <class Record>
    static bool names_this_thread(const Record& record, const char* file = __builtin_FILE(),
                                  unsigned line = __builtin_LINE()) {
        return changed({file, line, operation::step}) == change::skipped ||
               record.thread.read() == this_thread();
    }

    template <class Atomic, class Value>
    static bool commit(int begun, Atomic& to, Value value, const char* file = __builtin_FILE(),
                       unsigned line = __builtin_LINE()) {
        here().commits.lock(rl::debug_info());
        const bool valid =
            here().restarts == begun || changed({file, line, operation::step}) == change::skipped;
        if (valid) to.commit(value);
        here().commits.unlock(rl::debug_info());
        return valid;
    }
};

}  // namespace freehold::model
