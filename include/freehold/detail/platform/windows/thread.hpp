// SPDX-License-Identifier: BSL-1.0
// The thread functions for Windows; see ../thread.hpp.
#pragma once

#include <freehold/config.hpp>
#include <freehold/detail/platform/thread_number.hpp>
#include <freehold/detail/platform/windows/kernel32.hpp>

namespace freehold::inline FREEHOLD_ABI::detail {

[[nodiscard]] inline thread_number number_of_this_thread() noexcept {
    return ::GetCurrentThreadId();
}

inline void yield_to_others() noexcept {
    static_cast<void>(::SwitchToThread());
}

// Windows sleeps for whole milliseconds.
inline void sleep_microseconds(long duration) noexcept {
    ::Sleep(static_cast<unsigned long>(duration + 999) / 1000);
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
