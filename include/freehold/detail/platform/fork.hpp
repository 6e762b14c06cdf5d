// SPDX-License-Identifier: BSL-1.0
// Registers functions that run around fork(), so that a child finds no lock held by a thread that
// the child does not have. The last registered function runs first before the fork, and last after
// it.
#pragma once

#include <freehold/config.hpp>

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

inline long number_of_process() noexcept {
#if defined(_WIN32)
    return 1;
#else
    return ::getpid();
#endif
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
