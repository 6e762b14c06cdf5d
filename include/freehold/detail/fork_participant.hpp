// SPDX-License-Identifier: BSL-1.0
// What it is: an object with locks that a child of fork() may use, such as a pool or a
// buffer_cache. The forking thread holds the locks of all participants around the fork. Therefore
// the child finds them free, and what they guard is whole.
//
// A participant enrols in the slow paths of its threads, and again in a child. Therefore a child
// does not touch a participant that was on the stack of a thread that the child does not have.
//
// No order of the locks is right for all programs, because the upstream of a cache may be a pool or
// another cache. If one lock is taken, the forking thread releases all of them and tries again. It
// waits for that one first, if its participant is never destroyed. The cache_registry's mutex
// guards the list.
//
// These functions are the library's only ones around fork(). glibc lets threads register functions
// while it calls others before a fork, and does not call them for that fork. Enrolling waits for
// such a fork instead, if these functions were registered before it. So only a process's first use
// of the library beside threads must not fall into a function that another library registered.
//
// A function that another library registers may use handles if it was registered later than these:
// it then runs while no lock is held.
//
// A participant derives from this class and has the functions try_lock, unlock and around_fork, as
// below. One that is never destroyed has lock, too. They are not virtual: the tables for one class
// would take 400 bytes of each program.
//
// Visible even if a shared library hides its symbols: each library would otherwise have a list of
// its own, and try to take the registry's mutex once for each list.
#pragma once

#include <freehold/config.hpp>
#include <freehold/detail/cache_registry.hpp>
#include <freehold/detail/lock_holder.hpp>
#include <freehold/detail/platform/fork.hpp>
#include <freehold/detail/process_number.hpp>
#include <freehold/detail/single_threaded.hpp>
#include <freehold/detail/spin_lock.hpp>

#include <atomic>
#include <cstdint>
#include <utility>

namespace freehold::inline FREEHOLD_ABI::detail {

class [[gnu::visibility("default")]] fork_participant {
public:
    fork_participant(const fork_participant&) = delete;
    fork_participant& operator=(const fork_participant&) = delete;

    // To be called on slow paths, before the participant's lock is taken, without the registry's
    // mutex.
    void enrol() noexcept {
        // relaxed: it changes under the registry's mutex, or in a child before a second thread.
        if (!is_enrolled_.load(std::memory_order_relaxed)) [[unlikely]]
            enrol_anew();
    }
    // Does the same, unless the calling thread is the only one. To be called on each slow path,
    // before it takes a lock. No lock is then held at a fork: only this thread could fork, or start
    // a thread that does. The functions around a fork would cost a process without threads 64 KiB
    // of resident memory, because registering them reads that much of the C library.
    // A slow path must start no thread. An operator new that does can make a fork in that thread
    // find a lock taken.
    void enrol_beside_threads() noexcept {
        if (!is_single_threaded()) enrol();
    }
    // The same for a slow path that takes no lock but the registry's mutex.
    static void prepare_beside_threads() noexcept {
        if (!is_single_threaded()) static_cast<void>(prepare());
    }
    // To be called before the destruction, under the registry's mutex.
    void leave() noexcept {
        // relaxed: see enrol.
        if (!is_enrolled_.load(std::memory_order_relaxed)) return;
        fork_participant** link = &first_;
        while (*link != this) link = &(*link)->next_;
        *link = next_;
    }

    // Registers the functions around fork() once in a process. Returns false if memory is
    // exhausted: a child may then use participants only if its parent had one thread.
    // fork() may wait for the registry's mutex while it prevents registrations.
    static bool prepare() noexcept {
        return is_prepared() || prepare_now();
    }
    [[nodiscard]] static bool is_prepared() noexcept {
        // relaxed: the system orders its list of functions.
        return state_.load(std::memory_order_relaxed) == registered;
    }
    // The number of forks that lead to this process from the one that first called prepare().
    [[nodiscard]] static std::uint32_t forks() noexcept {
        // relaxed: it changes only in a child, before anything else happens there.
        return forks_.load(std::memory_order_relaxed);
    }

protected:
    template <class Derived>
    constexpr explicit fork_participant(std::in_place_type_t<Derived>) noexcept
        : ask_(&ask<Derived>), lasts_(has_lock<Derived>) {}
    ~fork_participant() = default;

private:
    enum class request : unsigned char { lock, try_lock, unlock, take_step };
    template <class Derived>
    static constexpr bool has_lock = requires(Derived & derived) { derived.lock(); };

    template <class Derived>
    [[gnu::cold]] static bool ask(fork_participant & participant, request what,
                                  fork_step step) noexcept {
        auto& derived = static_cast<Derived&>(participant);
        switch (what) {
            case request::lock:
                if constexpr (has_lock<Derived>) derived.lock();
                break;
            case request::try_lock:
                return derived.try_lock();
            case request::unlock:
                derived.unlock();
                break;
            case request::take_step:
                derived.around_fork(step);
                break;
        }
        return true;
    }
    // Requires lasts_. Not called lock, which has_lock would find in every class.
    void wait_for_lock() noexcept {
        ask_(*this, request::lock, fork_step::before);
    }
    // Takes all locks of this object, or none.
    [[nodiscard]] bool try_lock() noexcept {
        return ask_(*this, request::try_lock, fork_step::before);
    }
    void unlock() noexcept {
        ask_(*this, request::unlock, fork_step::before);
    }
    // Called for each step while the locks of all participants are held.
    void around_fork(fork_step step) noexcept {
        ask_(*this, request::take_step, step);
    }

    // A static variable of a function would not do. If another thread initialises it during a fork,
    // the child waits for that thread, which it does not have. Here the child registers the
    // functions again. They may then be registered twice. So only the first call before a fork, and
    // the last one after it, do anything.
    [[gnu::cold, gnu::noinline]] static bool prepare_now() noexcept {
        const long mine = number_of_process();
        while (true) {
            // relaxed, all: see is_prepared.
            long state = state_.load(std::memory_order_relaxed);
            if (state == registered) return true;
            if (state == mine) {
                yield_processor();
            } else if (state_.compare_exchange_strong(state, mine, std::memory_order_relaxed)) {
                const bool is_done = call_around_fork(&before, &in_parent, &in_child);
                state_.store(is_done ? registered : not_registered, std::memory_order_relaxed);
                return is_done;
            }
        }
    }
    [[gnu::noinline, gnu::cold]] void enrol_anew() noexcept {
        static_cast<void>(prepare());
        const lock_holder lock(cache_registry::mutex());
        // relaxed, both: see enrol.
        if (is_enrolled_.load(std::memory_order_relaxed)) return;
        next_ = std::exchange(first_, this);
        is_enrolled_.store(true, std::memory_order_relaxed);
    }

    [[gnu::cold]] static void before() noexcept {
        if (depth_++ > 0) return;
        // Yielding alone would take for ever, if another thread uses a participant in a loop and so
        // leaves its lock free for moments only.
        fork_participant* waited_for = nullptr;
        cache_registry::mutex().lock();
        while (fork_participant* const taken = try_lock_all(waited_for)) {
            if (waited_for != nullptr) waited_for->unlock();
            waited_for = taken->lasts_ ? taken : nullptr;
            cache_registry::mutex().unlock();
            if (waited_for != nullptr) {
                waited_for->wait_for_lock();
            } else {
                yield_processor();
            }
            cache_registry::mutex().lock();
        }
        process_number::around_fork(fork_step::before);
        for (fork_participant* each = first_; each != nullptr; each = each->next_) {
            each->around_fork(fork_step::before);
        }
    }
    [[gnu::cold]] static void in_parent() noexcept {
        after(fork_step::in_parent);
    }
    [[gnu::cold]] static void in_child() noexcept {
        after(fork_step::in_child);
    }
    // Takes all locks but that of `held`, or none. Returns a participant whose lock is taken.
    [[gnu::cold]] static fork_participant* try_lock_all(const fork_participant* held) noexcept {
        for (fork_participant* each = first_; each != nullptr; each = each->next_) {
            if (each == held || each->try_lock()) continue;
            for (fork_participant* back = first_; back != each; back = back->next_) {
                if (back != held) back->unlock();
            }
            return each;
        }
        return nullptr;
    }
    [[gnu::cold, gnu::noinline]] static void after(fork_step step) noexcept {
        if (--depth_ > 0) return;
        const bool is_child = step == fork_step::in_child;
        for (fork_participant* each = first_; each != nullptr; each = each->next_) {
            each->around_fork(step);
            each->unlock();
            // relaxed: see enrol.
            if (is_child) each->is_enrolled_.store(false, std::memory_order_relaxed);
        }
        process_number::around_fork(step);
        if (is_child) {
            first_ = nullptr;
            forks_.store(forks() + 1, std::memory_order_relaxed);  // relaxed: see forks
        }
        cache_registry::mutex().unlock();
    }

    bool (*ask_)(fork_participant&, request, fork_step) noexcept;
    fork_participant* next_ = nullptr;
    std::atomic<bool> is_enrolled_{false};
    // Whether this object is never destroyed, so that a thread may wait for its lock.
    bool lasts_;

    static inline constinit fork_participant* first_ = nullptr;
    static inline constinit std::atomic<std::uint32_t> forks_{0};

    static constexpr long not_registered = 0;
    static constexpr long registered = -1;
    // Or the process whose thread registers. So a child sees that it is not a thread of its own.
    static inline constinit std::atomic<long> state_{not_registered};
    // Of the thread that forks, which is the child's thread too.
    static inline constinit thread_local int depth_ = 0;
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
