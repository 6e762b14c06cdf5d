// SPDX-License-Identifier: BSL-1.0
// What debts run on in the model. The barrier of a writer is what the system promises and no more:
// each thread executes one fence at some point between two of its accesses, which the scheduler
// chooses; the writer goes on when all have.
#pragma once

#include "model/mutation.hpp"
#include "model/relacy.hpp"

namespace freehold::model {

constexpr std::size_t debt_threads = 3;

struct debt_machine;
inline debt_machine* debts_now = nullptr;

inline std::size_t debt_self();

struct barred {
    static constexpr std::size_t threads = debt_threads + 1;
    // Executes a fence if a barrier waits for this thread.
    static void before_access();
    static std::size_t self() { return debt_self(); }
};

struct debt_model {
    template <class T>
    using atomic = checked_atomic<T, barred>;
    using debt = detail::basic_debt<debt_model>;
    using reader = detail::basic_reader<debt_model>;
    using place = detail::basic_one_word_place<debt_model>;
    using steps = detail::debt_steps<debt_model>;
    using reading = detail::basic_reading<debt_model, place>;

    static constexpr std::size_t lasting_debts = 1;
    static constexpr std::uint32_t fences_for_a_barrier = 1;

    class lock {
    public:
        explicit lock(const char* file = __builtin_FILE(), unsigned line = __builtin_LINE());
        explicit lock(detail::unless_taken, const char* file = __builtin_FILE(),
                      unsigned line = __builtin_LINE());
        ~lock();
        lock(const lock&) = delete;
        lock& operator=(const lock&) = delete;
        [[nodiscard]] bool is_held() const { return is_held_; }

    private:
        bool is_held_ = false;
        bool is_locked_ = false;
    };

    static detail::basic_readers<debt_model>& readers();
    static debt*& next_debt();
    static void keep_order() {}
    static bool can_fence_everywhere();
    static void fence_everywhere(const char* file = __builtin_FILE(),
                                 unsigned line = __builtin_LINE());
    static reader* this_reader();
    static reader* make_reader();

    static reading protect_slowly(const place& from, const detail::owner_kind& kind) {
        return steps::protect(from, kind);
    }
    static reading protect_again(const place& from, const detail::owner_kind& kind, debt& tried,
                                 detail::debt_key vain) {
        return steps::protect_again(from, kind, tried, vain);
    }
    static bool end_slowly(debt& ended, detail::debt_key key) { return steps::end(ended, key); }
};

// What a scenario has beside its objects. Made afresh for each run of it.
struct debt_machine {
    // Plain: the checker runs one thread at a time.
    struct processor {
        bool is_running = false;
        bool must_fence = false;
        debt_model::reader* reader = nullptr;
        debt_model::debt* next = nullptr;
    };
    std::array<processor, debt_threads + 1> processors;
    rl::mutex lock;
    detail::basic_readers<debt_model> readers;
    std::array<debt_model::reader, debt_threads + 1> memory;
    std::size_t made = 0;
    debt_model::debt none;
    bool concurrent = false;
    bool has_barriers = true;

    debt_machine() {
        none.owed.store(debt_model::debt::ending, std::memory_order_relaxed, "", 0);
        for (processor& each : processors) each.next = &none;
    }
};

inline std::size_t debt_self() {
    return debts_now != nullptr && debts_now->concurrent
               ? static_cast<std::size_t>(rl::thread_index())
               : debt_threads;
}

inline void fence_here() {
    rl::atomic_thread_fence(rl::mo_seq_cst, rl::debug_info());
}

inline void barred::before_access() {
    if (debts_now == nullptr || !debts_now->concurrent) return;
    debt_machine::processor& here = debts_now->processors[debt_self()];
    if (!here.must_fence) return;
    fence_here();
    here.must_fence = false;
}

// A thread that does nothing, or waits, is a thread that has executed its fence.
inline void begin_running() {
    debts_now->processors[debt_self()].is_running = true;
    fence_here();
}
inline void end_running() {
    fence_here();
    debt_machine::processor& here = debts_now->processors[debt_self()];
    here.is_running = here.must_fence = false;
}

inline debt_model::lock::lock(const char* file, unsigned line) : is_held_(true) {
    if (!debts_now->concurrent) return;
    if (changed({file, line, operation::step}) == change::skipped) return;
    end_running();
    debts_now->lock.lock(rl::debug_info("", file, line));
    begin_running();
    is_locked_ = true;
}
inline debt_model::lock::lock(detail::unless_taken, const char* file, unsigned line) {
    is_held_ = is_locked_ =
        debts_now->concurrent && debts_now->lock.try_lock(rl::debug_info("", file, line));
}
inline debt_model::lock::~lock() {
    if (is_locked_) debts_now->lock.unlock(rl::debug_info());
}

inline detail::basic_readers<debt_model>& debt_model::readers() {
    return debts_now->readers;
}
inline auto debt_model::next_debt() -> debt*& {
    return debts_now->processors[debt_self()].next;
}
inline bool debt_model::can_fence_everywhere() {
    return debts_now->has_barriers;
}
inline void debt_model::fence_everywhere(const char* file, unsigned line) {
    if (!debts_now->concurrent) return;
    if (changed({file, line, operation::step}) == change::skipped) return;
    fence_here();
    for (std::size_t i = 0; i != debt_threads; ++i) {
        if (i != debt_self()) debts_now->processors[i].must_fence = true;
    }
    for (std::size_t i = 0; i != debt_threads; ++i) {
        debt_machine::processor& each = debts_now->processors[i];
        if (i == debt_self()) continue;
        while (each.is_running && each.must_fence) rl::yield(1, rl::debug_info("", file, line));
        each.must_fence = false;
    }
    fence_here();
}
inline auto debt_model::this_reader() -> reader* {
    reader*& mine = debts_now->processors[debt_self()].reader;
    if (mine == nullptr) mine = steps::take_reader();
    return mine;
}
inline auto debt_model::make_reader() -> reader* {
    return &debts_now->memory.at(debts_now->made++);
}

}  // namespace freehold::model
