// SPDX-License-Identifier: BSL-1.0
// What it is: the test whether the calling thread is the only one of its process. If it is, a count
// may change by plain loads and stores in place of locked instructions.
//
// It relies on what libstdc++'s shared_ptr relies on. glibc 2.32 and newer has the variable
// __libc_single_threaded. It is true from before the first static initialiser, false since before
// the first pthread_create or thrd_create returns, and never true again in the process or in a
// child made by fork. Elsewhere, libstdc++'s __gthread_active_p tells whether the program can
// create threads at all. Where neither exists, the answer is always "no", and counts stay atomic.
//
// - A thread that a C library, Rust, Go (with cgo) or any other language starts is started by
// pthread_create, and the test sees it. A library that dlopen loads changes nothing until then.
// - A plainly changed count needs no conversion: its bytes have the same meaning for both ways, and
// starting a thread publishes them to that thread.
// - Static initialisers, static destructors and functions given to atexit count as all other code
// does.
// - A thread made by a bare clone system call, which glibc does not know, must not use handles.
// - A signal handler must not use handles: it may interrupt the calling thread between a load and a
// store of the same count. The allocator forbids it anyway.
//
// Under the thread sanitizer, the answer is "no", because the sanitizer cannot follow plain
// counting. A program whose parts are compiled with and without it still counts correctly: both
// ways may be mixed.
//
// Complexity: one load of a byte and a predicted branch.
// Thread safety: any thread may call it.
// Exceptions: none.
// Source: the GNU C Library manual, "Single-Threaded"; libstdc++'s ext/atomicity.h.
#pragma once

#include <freehold/config.hpp>

#if defined(__SANITIZE_THREAD__)
#define FREEHOLD_COUNTS_STAY_ATOMIC 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define FREEHOLD_COUNTS_STAY_ATOMIC 1
#endif
#endif

#if !defined(FREEHOLD_COUNTS_STAY_ATOMIC)
#if __has_include(<sys/single_threaded.h>)
#include <sys/single_threaded.h>
#define FREEHOLD_IS_SINGLE_THREADED (::__libc_single_threaded != 0)
#elif __has_include(<ext/atomicity.h>)
#include <ext/atomicity.h>
#if defined(__GTHREADS)
#define FREEHOLD_IS_SINGLE_THREADED (__gthread_active_p() == 0)
#endif
#endif
#endif

namespace freehold::inline FREEHOLD_ABI::detail {

[[nodiscard, gnu::always_inline]] inline bool is_single_threaded() noexcept {
#if defined(FREEHOLD_IS_SINGLE_THREADED)
#if defined(__clang__)
    // No instruction. clang++ counts it as one, and then finds the test too long to repeat it at
    // the end of each branch before it. That makes the code of an arc 2 % shorter.
    asm("");
#endif
    return FREEHOLD_IS_SINGLE_THREADED;
#else
    return false;
#endif
}

}  // namespace freehold::inline FREEHOLD_ABI::detail

#undef FREEHOLD_IS_SINGLE_THREADED
