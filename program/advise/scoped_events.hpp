// SPDX-License-Identifier: BSL-1.0
// The events of a trace that matter to a cache: those of one process, for buffers that are large
// enough.
#pragma once

#include "advise/trace_spool.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace freehold {

/// The part of a trace that a cache serves.
struct replay_scope {
    std::uint32_t process = 0;
    std::uint64_t min_size = 0;    // smaller requests go to the allocator, as they do now
    std::uint64_t requests = 0;    // of that process, of at least min_size
    std::uint64_t first_half = 0;  // how many of these form the first half
    bool has_times = true;         // false: every event takes the same time
};

/// Holds 8 bytes for each live block.
class scoped_events {
public:
    scoped_events(const trace_spool& spool, const replay_scope& scope)
        : cursor_(spool), scope_(scope) {}

    /// Sizes are at least 1, and each free repeats the size of its block. Throws file_error.
    bool next(trace_event& event) {
        while (cursor_.next(event)) {
            if (event.process != scope_.process) continue;
            if (event.block >= sizes_.size()) sizes_.resize(event.block + std::size_t{1});
            std::uint64_t& size = sizes_[event.block];
            if (event.what == trace_event::kind::allocate) {
                if (event.size < scope_.min_size) continue;
                event.size = std::max<std::uint64_t>(event.size, 1);
                size = event.size;
            } else {
                if (size == 0) continue;
                event.size = size;
                size = 0;
            }
            ++events_;
            if (!scope_.has_times) event.time = events_;
            return true;
        }
        return false;
    }

private:
    trace_spool::cursor cursor_;
    replay_scope scope_;
    std::vector<std::uint64_t> sizes_;  // by block; 0: not in use, or too small
    std::uint64_t events_ = 0;
};

}  // namespace freehold
