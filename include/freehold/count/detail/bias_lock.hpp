// SPDX-License-Identifier: BSL-1.0
// What it is: the lock of biased counts, and its state around fork().
#pragma once

#include <freehold/detail/fork_participant.hpp>
#include <freehold/detail/platform/fork.hpp>
#include <freehold/detail/platform/mutex.hpp>

#include <utility>

namespace freehold::inline FREEHOLD_ABI::detail {

// A participant, because functions of its own around fork() would come too late: glibc does not
// call those that another thread registers while it calls the functions before a fork. Enrolling
// waits for such a fork.
class [[gnu::visibility("default")]] bias_lock final : public fork_participant {
public:
    constexpr bias_lock() noexcept : fork_participant(std::in_place_type<bias_lock>) {}

    void lock() noexcept {
        enrol();
        mutex_.lock();
    }
    [[nodiscard]] bool try_lock() noexcept {
        return mutex_.try_lock();
    }
    void unlock() noexcept {
        mutex_.unlock();
    }
    void around_fork(fork_step) noexcept {}

private:
    platform_mutex mutex_;
};

// Never destroyed, because handles are released by destructors that run after all others. Visible
// even if a shared library hides its symbols: such a library stays loaded, as the list of
// participants needs it.
struct [[gnu::visibility("default")]] biases {
    static inline constinit bias_lock lock;
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
