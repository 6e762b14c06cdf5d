// SPDX-License-Identifier: BSL-1.0
// The thread functions for POSIX; see ../thread.hpp. POSIX has no such number; Linux, macOS and
// FreeBSD each have a call of their own.
#pragma once

#include <freehold/config.hpp>
#include <freehold/detail/errno_kept.hpp>
#include <freehold/detail/platform/thread_number.hpp>

#include <ctime>

#include <pthread.h>
#include <sched.h>
#include <unistd.h>
#if defined(__FreeBSD__)
#include <pthread_np.h>
#endif

namespace freehold::inline FREEHOLD_ABI::detail {

[[nodiscard]] inline thread_number number_of_this_thread() noexcept {
    thread_number number = 0;
#if defined(__linux__)
    number = ::gettid();
#elif defined(__APPLE__)
    static_cast<void>(::pthread_threadid_np(nullptr, &number));
#elif defined(__FreeBSD__)
    number = ::pthread_getthreadid_np();
#endif
    return number;
}

inline void yield_to_others() noexcept {
    static_cast<void>(::sched_yield());
}

// Less than a second. A signal may end the sleep.
inline void sleep_microseconds(long duration) noexcept {
    const errno_kept kept;
    const timespec time = {0, duration * 1000};
    static_cast<void>(::nanosleep(&time, nullptr));
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
