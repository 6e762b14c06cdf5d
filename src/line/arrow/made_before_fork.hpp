// SPDX-License-Identifier: BSL-1.0
// Tells whether an object was made before a fork() of which this process is the child. The child
// lacks the threads that deliver bytes, so a read there would wait forever.
#pragma once

#include <freehold/config.hpp>
#include <freehold/detail/fork_participant.hpp>

#include <cstdint>
#include <string>

#include <arrow/status.h>

namespace freehold::inline FREEHOLD_ABI::detail {

// Costs one load. `before` is what forks_so_far returned when the object was made.
[[nodiscard]] inline bool has_forked_since(std::uint32_t before) noexcept {
    return before != fork_participant::forks();
}

// What a call in the child returns. `what` names the object or the cache.
[[nodiscard]] inline arrow::Status status_in_child(const std::string& what) {
    return arrow::Status::IOError(
        what, ": this process was forked from the one that made the cache, and lacks its threads; ",
        "make the cache after the fork, or start the process by spawn or forkserver");
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
