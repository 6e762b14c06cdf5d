// SPDX-License-Identifier: BSL-1.0
// What it is: the lock of biased counts, and its state around fork().
#pragma once

#include <freehold/detail/platform/fork.hpp>
#include <freehold/detail/platform/mutex.hpp>

namespace freehold::inline FREEHOLD_ABI::detail {

// Never destroyed, because handles are released by destructors that run after all others.
inline constinit platform_mutex bias_mutex;

// A child must not find the lock taken by a thread that it does not have.
struct bias_lock_at_fork {
    static void before() noexcept { bias_mutex.lock(); }
    static void in_parent() noexcept { bias_mutex.unlock(); }
    static void in_child() noexcept { bias_mutex.unlock(); }
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
