// SPDX-License-Identifier: BSL-1.0
// A number that no other live object of this class has in the process: the lowest free one. Each
// thread finds its cache of a pool by the pool's number.
// The constructor and the destructor inspect the other objects. Thread-safe; does not throw, and
// allocates no memory. Visible even if a shared library hides its symbols.
// In a child of fork(), numbers that the parent had given remain taken, because their objects may
// have been on the stacks of threads that the child does not have.
#pragma once

#include <freehold/detail/lock_holder.hpp>
#include <freehold/detail/platform/fork.hpp>
#include <freehold/detail/platform/mutex.hpp>

#include <cstddef>
#include <utility>

namespace freehold::inline FREEHOLD_ABI::detail {

class [[gnu::visibility("default")]] process_number {
public:
    process_number() noexcept {
        const lock_holder lock(mutex_);
        value_ = lowest_;
        process_number** link = &first_;
        for (; *link != nullptr && (*link)->value_ == value_; ++value_) link = &(*link)->next_;
        next_ = std::exchange(*link, this);
    }
    process_number(const process_number&) = delete;
    process_number& operator=(const process_number&) = delete;
    ~process_number() {
        const lock_holder lock(mutex_);
        process_number** link = &first_;
        while (*link != nullptr && *link != this) link = &(*link)->next_;
        if (*link == this) *link = next_;
    }

    [[nodiscard]] std::size_t value() const noexcept {
        return value_;
    }

    static void around_fork(fork_step step) noexcept {
        if (step == fork_step::before) return mutex_.lock();
        if (step == fork_step::in_child) {
            for (; first_ != nullptr; first_ = first_->next_) lowest_ = first_->value_ + 1;
        }
        mutex_.unlock();
    }

private:
    std::size_t value_ = 0;
    process_number* next_ = nullptr;

    static inline constinit platform_mutex mutex_;
    static inline constinit process_number* first_ = nullptr;  // in ascending order of values
    static inline constinit std::size_t lowest_ = 0;
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
