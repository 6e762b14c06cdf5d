// SPDX-License-Identifier: BSL-1.0
// Tells whether an object was made before a fork() of which this process is the child. Costs one
// load. The child lacks the threads that deliver bytes, so a read there would wait forever.
#pragma once

#include <freehold/config.hpp>
#include <freehold/detail/fork_participant.hpp>

#include <cstdint>
#include <new>
#include <string>

#include <arrow/status.h>

namespace freehold::inline FREEHOLD_ABI::detail {

class made_before_fork {
public:
    // Throws std::bad_alloc.
    made_before_fork() {
        if (!fork_participant::prepare()) throw std::bad_alloc();
        forks_ = fork_participant::forks();
    }
    [[nodiscard]] explicit operator bool() const noexcept {
        return forks_ != fork_participant::forks();
    }

private:
    std::uint32_t forks_ = 0;
};

// What a call in the child returns. `what` names the object or the cache.
[[nodiscard]] inline arrow::Status status_in_child(const std::string& what) {
    return arrow::Status::IOError(
        what, ": this process was forked from the one that made the cache, and lacks its threads; ",
        "make the cache after the fork, or start the process by spawn or forkserver");
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
