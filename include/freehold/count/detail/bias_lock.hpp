// SPDX-License-Identifier: BSL-1.0
// What it is: the lock of biased counts, and its state around fork().
#pragma once

#include <freehold/detail/platform/fork.hpp>
#include <freehold/detail/platform/mutex.hpp>

namespace freehold::inline FREEHOLD_ABI::detail {

// Never destroyed, because handles are released by destructors that run after all others.
inline constinit platform_mutex bias_mutex;

// A child must not find the lock taken by a thread that it does not have. Called with the lock
// held; the first call decides.
inline bool lock_is_kept_across_fork() noexcept {
    constexpr auto take = +[] { bias_mutex.lock(); };
    constexpr auto give = +[] { bias_mutex.unlock(); };
    static constinit bool is_kept = false;
    if (!is_kept) is_kept = call_around_fork(take, give, give);
    return is_kept;
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
