// SPDX-License-Identifier: BSL-1.0
// A mutex for variables of the process, such as a list of all objects of a class. It is not held in
// a child of fork(), and what it guards is whole there. InChild() runs in the child, with the mutex
// held. Visible even if a shared library hides its symbols: such a library stays loaded, as the
// list of participants needs it.
#pragma once

#include <freehold/config.hpp>
#include <freehold/detail/fork_participant.hpp>
#include <freehold/detail/platform/fork.hpp>
#include <freehold/detail/platform/mutex.hpp>

#include <utility>

namespace freehold::inline FREEHOLD_ABI::detail {

inline void do_nothing_in_child() noexcept {}

template <void (*InChild)() noexcept = &do_nothing_in_child, class Mutex = platform_mutex>
class [[gnu::visibility("default")]] fork_mutex final : public fork_participant {
public:
    constexpr fork_mutex() noexcept : fork_participant(std::in_place_type<fork_mutex>) {}

    void lock() noexcept {
        enrol();
        mutex_.lock();
    }
    // Requires enrol().
    [[nodiscard]] bool try_lock() noexcept {
        return mutex_.try_lock();
    }
    void unlock() noexcept {
        mutex_.unlock();
    }
    void around_fork(fork_step step) noexcept {
        if (step == fork_step::in_child) InChild();
    }

private:
    Mutex mutex_;
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
