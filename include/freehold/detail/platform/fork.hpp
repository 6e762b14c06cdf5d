// SPDX-License-Identifier: BSL-1.0
// Registers functions that run around fork(), so that a child finds no lock held by a thread that
// the child does not have. The last registered function runs first before the fork, and last after
// it.
#pragma once

#include <freehold/config.hpp>
#include <freehold/detail/platform/thread.hpp>

#include <atomic>

#if !defined(_WIN32)
#include <pthread.h>
#include <unistd.h>
#endif

namespace freehold::inline FREEHOLD_ABI::detail {

using fork_function = void (*)();

// A step around one call of fork().
enum class fork_step : unsigned char { before, in_parent, in_child };

// Returns false if memory is exhausted.
inline bool call_around_fork(fork_function before, fork_function in_parent,
                             fork_function in_child) noexcept {
#if defined(_WIN32)
    static_cast<void>(before);
    static_cast<void>(in_parent);
    static_cast<void>(in_child);
    return true;
#else
    return ::pthread_atfork(before, in_parent, in_child) == 0;
#endif
}

// Registers before(), in_parent() and in_child() of Owner once in a process.
//
// A static variable of a function would not do. If another thread initialises it during a fork, the
// child waits for that thread, which it does not have. Here the child registers the functions
// again. They may then be registered twice. So only the first call before a fork, and the last one
// after it, reach Owner.
//
// Libraries that hide their symbols share this state if Owner is visible.
template <class Owner>
class [[gnu::visibility("default")]] fork_functions {
public:
    // Returns false if memory is exhausted. To be called before what Owner guards is first used.
    static bool keep() noexcept {
        return are_kept() || keep_now();
    }
    [[nodiscard]] static bool are_kept() noexcept {
        // relaxed: the system orders its list of functions.
        return state_.load(std::memory_order_relaxed) == registered;
    }

private:
    [[gnu::cold, gnu::noinline]] static bool keep_now() noexcept {
        const long mine = this_process();
        while (true) {
            // relaxed, all: see are_kept.
            long state = state_.load(std::memory_order_relaxed);
            if (state == registered) return true;
            if (state == mine) {
                yield_to_others();
            } else if (state_.compare_exchange_strong(state, mine, std::memory_order_relaxed)) {
                const bool is_done = call_around_fork(&before, &in_parent, &in_child);
                state_.store(is_done ? registered : not_registered, std::memory_order_relaxed);
                return is_done;
            }
        }
    }
    static long this_process() noexcept {
#if defined(_WIN32)
        return 1;
#else
        return ::getpid();
#endif
    }

    [[gnu::cold]] static void before() noexcept {
        if (depth_++ == 0) Owner::before();
    }
    [[gnu::cold]] static void in_parent() noexcept {
        if (--depth_ == 0) Owner::in_parent();
    }
    [[gnu::cold]] static void in_child() noexcept {
        if (--depth_ == 0) Owner::in_child();
    }

    static constexpr long not_registered = 0;
    static constexpr long registered = -1;
    // Or the process whose thread registers. So a child sees that it is not a thread of its own.
    static inline constinit std::atomic<long> state_{not_registered};
    // Of the thread that forks, which is the child's thread too.
    static inline constinit thread_local int depth_ = 0;
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
