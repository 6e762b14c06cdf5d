// SPDX-License-Identifier: BSL-1.0
// Tells whether an object was made before a fork() of which this process is the child. Costs one
// load. The child lacks the threads that deliver bytes, so a read there would wait forever.
#pragma once

#include <freehold/config.hpp>
#include <freehold/detail/platform/fork.hpp>

#include <atomic>
#include <new>
#include <string>

#include <arrow/status.h>

namespace freehold::inline FREEHOLD_ABI::detail {

class made_before_fork {
public:
    // Throws std::bad_alloc.
    made_before_fork() {
        if (!fork_functions<made_before_fork>::keep()) throw std::bad_alloc();
        generation_ = generation();
    }
    [[nodiscard]] explicit operator bool() const noexcept { return generation_ != generation(); }

private:
    // relaxed: the child begins with one thread, so there is nothing to order.
    [[nodiscard]] static unsigned generation() noexcept {
        return generations_.load(std::memory_order_relaxed);
    }
    friend fork_functions<made_before_fork>;
    static void before() noexcept {}
    static void in_parent() noexcept {}
    static void in_child() noexcept { generations_.fetch_add(1, std::memory_order_relaxed); }

    static inline constinit std::atomic<unsigned> generations_{0};

    unsigned generation_ = 0;
};

// What a call in the child returns. `what` names the object or the cache.
[[nodiscard]] inline arrow::Status status_in_child(const std::string& what) {
    return arrow::Status::IOError(
        what, ": this process was forked from the one that made the cache, and lacks its threads; ",
        "make the cache after the fork, or start the process by spawn or forkserver");
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
