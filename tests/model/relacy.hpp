// SPDX-License-Identifier: BSL-1.0
// What the model is made of, for Relacy: it runs all threads of a scenario on one, in an order of
// its own choice, and looks for races.
//
// Relacy is included without the macros that it puts in the place of keywords and standard names.
// Those which it makes of the names of functions stay: so all that is to be included is included
// here, before it.
#pragma once

#include <freehold/count/atomic_count.hpp>
#include <freehold/count/biased_count.hpp>
#include <freehold/count/detail/sharded_word.hpp>
#include <freehold/handle/detail/atomic/debts_slow.hpp>
#include <freehold/handle/detail/atomic/one_word_place.hpp>

#include "model/mutation.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cassert>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fstream>
#include <memory>
#include <new>
#include <ostream>
#include <set>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#pragma push_macro("assert")
#pragma push_macro("errno")
#include <relacy/relacy.hpp>
#pragma pop_macro("assert")
#pragma pop_macro("errno")

#undef new
#undef delete
#undef malloc
#undef calloc
#undef realloc
#undef free
#undef memory_order_relaxed
#undef memory_order_consume
#undef memory_order_acquire
#undef memory_order_release
#undef memory_order_acq_rel
#undef memory_order_seq_cst

namespace freehold::model {

inline rl::memory_order relacy_order(std::memory_order order) {
    switch (order) {
        case std::memory_order_relaxed:
            return rl::mo_relaxed;
        case std::memory_order_consume:
            return rl::mo_consume;
        case std::memory_order_acquire:
            return rl::mo_acquire;
        case std::memory_order_release:
            return rl::mo_release;
        case std::memory_order_acq_rel:
            return rl::mo_acq_rel;
        case std::memory_order_seq_cst:
            return rl::mo_seq_cst;
    }
    return rl::mo_seq_cst;
}

// Ends the scenario, which has failed, unless it holds.
inline void require(bool condition, const char* what) {
    if (!condition) rl::ctx().fail_test(what, rl::test_result_user_assert_failed, rl::debug_info());
}

// How often a thread looks for what another puts.
inline constexpr int looks = 24;

inline std::size_t thread_index() {
    return static_cast<std::size_t>(rl::thread_index());
}

// Whether a mutation leaves out a step of the model that is no atomic operation.
inline bool is_left_out(const char* file, unsigned line) {
    return changed({file, line, operation::step}) == change::skipped;
}

#define FREEHOLD_MODEL_INFO rl::debug_info("", file, line)

// What threads do before each access, and which of them each is.
struct unhindered {
    static constexpr std::size_t threads = 1;
    static void before_access() noexcept {}
    static std::size_t self() noexcept { return 0; }
};

template <class T, class Machine = unhindered>
class checked_atomic {
public:
    explicit checked_atomic(T initial) noexcept {
        value_.store(bits(initial), rl::mo_relaxed, rl::debug_info());
    }
    checked_atomic(const checked_atomic&) = delete;
    checked_atomic& operator=(const checked_atomic&) = delete;

    // Skipped, it is what this thread has read here last.
    T load(std::memory_order order, const char* file = __builtin_FILE(),
           unsigned line = __builtin_LINE()) const noexcept {
        const change by = access({file, line, operation::load, order});
        std::uint64_t& last = last_[Machine::self()];
        if (by != change::skipped)
            last = value_.load(relacy_order(ordered(order, by)), FREEHOLD_MODEL_INFO);
        return from(last);
    }

    void store(T value, std::memory_order order, const char* file = __builtin_FILE(),
               unsigned line = __builtin_LINE()) noexcept {
        const change by = access({file, line, operation::store, order});
        if (by != change::skipped)
            value_.store(bits(value), relacy_order(ordered(order, by)), FREEHOLD_MODEL_INFO);
    }

    T fetch_add(T value, std::memory_order order, const char* file = __builtin_FILE(),
                unsigned line = __builtin_LINE()) noexcept {
        return modify<rl::rmw_type_add>(bits(value), order, file, line);
    }
    T fetch_sub(T value, std::memory_order order, const char* file = __builtin_FILE(),
                unsigned line = __builtin_LINE()) noexcept {
        return modify<rl::rmw_type_add>(-bits(value), order, file, line);
    }
    T exchange(T value, std::memory_order order, const char* file = __builtin_FILE(),
               unsigned line = __builtin_LINE()) noexcept {
        return modify<rl::rmw_type_swap>(bits(value), order, file, line);
    }

    bool compare_exchange_weak(T& expected, T desired, std::memory_order order,
                               std::memory_order failed, const char* file = __builtin_FILE(),
                               unsigned line = __builtin_LINE()) noexcept {
        return compare_exchange<true>(expected, desired, order, failed, file, line);
    }
    bool compare_exchange_strong(T& expected, T desired, std::memory_order order,
                                 std::memory_order failed, const char* file = __builtin_FILE(),
                                 unsigned line = __builtin_LINE()) noexcept {
        return compare_exchange<false>(expected, desired, order, failed, file, line);
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

    // Line 0 is no code under test.
    static change access(const site& here) noexcept {
        Machine::before_access();
        return here.line == 0 ? change::none : changed(here);
    }

    template <rl::rmw_type_e Type>
    T modify(std::uint64_t operand, std::memory_order order, const char* file,
             unsigned line) noexcept {
        const change by = access({file, line, operation::read_modify_write, order});
        if (by == change::in_two || by == change::skipped) {
            const std::uint64_t before = value_.load(rl::mo_acquire, FREEHOLD_MODEL_INFO);
            const std::uint64_t after = Type == rl::rmw_type_add ? before + operand : operand;
            if (by == change::in_two) value_.store(after, rl::mo_release, FREEHOLD_MODEL_INFO);
            return from(before);
        }
        return from(value_.rmw(rl::rmw_type_t<Type>(), operand, relacy_order(ordered(order, by)),
                               FREEHOLD_MODEL_INFO));
    }

    template <bool MayFail>
    bool compare_exchange(T& expected, T desired, std::memory_order order, std::memory_order failed,
                          const char* file, unsigned line) noexcept {
        const change by = access({file, line, operation::read_modify_write, order});
        std::uint64_t compared = bits(expected);
        bool done = false;
        if (by == change::in_two || by == change::skipped) {
            compared = value_.load(relacy_order(failed), FREEHOLD_MODEL_INFO);
            done = compared == bits(expected);
            if (done && by == change::in_two)
                value_.store(bits(desired), rl::mo_relaxed, FREEHOLD_MODEL_INFO);
        } else {
            done = value_.compare_exchange(rl::bool_t<MayFail>(), compared, bits(desired),
                                           relacy_order(ordered(order, by)), relacy_order(failed),
                                           FREEHOLD_MODEL_INFO);
        }
        expected = from(compared);
        return done;
    }

    mutable rl::atomic<std::uint64_t> value_;
    mutable std::array<std::uint64_t, Machine::threads> last_{};
};

#undef FREEHOLD_MODEL_INFO

// A variable whose accesses have to be ordered by something else.
class plain {
public:
    plain() { write(0); }
    void write(int value) { value_(rl::debug_info()) = value; }
    [[nodiscard]] int read() { return value_(rl::debug_info()); }

private:
    rl::var<int> value_;
};

class mutex {
public:
    void lock(const char* file, unsigned line) { mutex_.lock(rl::debug_info("", file, line)); }
    void unlock() { mutex_.unlock(rl::debug_info()); }

private:
    rl::mutex mutex_;
};

// A place for one handle to the first object, or for a message.
class mailbox {
public:
    mailbox() { full_.store(0, rl::mo_relaxed, rl::debug_info()); }
    void put() { full_.store(1, rl::mo_release, rl::debug_info()); }
    [[nodiscard]] bool take() {
        return full_.rmw(rl::rmw_type_t<rl::rmw_type_swap>(), 0, rl::mo_acq_rel,
                         rl::debug_info()) == 1;
    }

private:
    rl::atomic<int> full_;
};

}  // namespace freehold::model
