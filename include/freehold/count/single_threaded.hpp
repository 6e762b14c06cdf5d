// SPDX-License-Identifier: BSL-1.0
// Tells whether the calling thread is the only one of its process, so that a count may change by
// plain loads and stores in place of locked instructions.
//
// Relies on what libstdc++'s shared_ptr relies on. glibc 2.32 and newer says it in the variable
// __libc_single_threaded: true from before the first static initialiser, false since before the
// first pthread_create or thrd_create returns, and never true again in the process or in a child
// made by fork. Elsewhere libstdc++'s __gthread_active_p tells whether the program can create
// threads at all. Where neither exists the answer is always "no", and counts stay atomic.
//
//  * A thread that a C library, Rust, Go (with cgo) or any other language starts is started by
//    pthread_create, and is seen. A library that dlopen brings in changes nothing until then.
//  * A count that was changed plainly needs no conversion: its bytes mean the same to both ways,
//    and starting a thread publishes them to that thread.
//  * Static initialisers, static destructors and functions given to atexit count as all other code
//    does.
//  * A thread made by a bare clone system call, which glibc does not know, must not use handles.
//  * A signal handler must not use handles: it may interrupt the calling thread between a load and
//    a store of the same count. The allocator forbids it anyway.
//
// Under the thread sanitizer the answer is "no", because it cannot follow plain counting. A program
// whose parts are compiled with and without it still counts right: both ways may be mixed.
//
// Costs one load of a byte and a predicted branch. Thread-safe. Does not throw.
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
    return FREEHOLD_IS_SINGLE_THREADED;
#else
    return false;
#endif
}

}  // namespace freehold::inline FREEHOLD_ABI::detail

#undef FREEHOLD_IS_SINGLE_THREADED
