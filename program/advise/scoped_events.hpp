// SPDX-License-Identifier: BSL-1.0
// The events of a trace that concern a cache: those of one process, of buffers that are large
// enough.
#pragma once

#include "advise/trace_spool.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace freehold {

/// What of a trace a cache shall serve.
struct replay_scope {
    std::uint32_t process = 0;
    std::uint64_t min_size = 0;    // smaller requests go to the allocator as they do now
    std::uint64_t requests = 0;    // of that process, not smaller
    std::uint64_t first_half = 0;  // of these, those whose figures are the first half's
    bool has_times = true;         // false: every event takes as long
};

/// Holds 8 bytes for each live block.
class scoped_events {
public:
    scoped_events(const trace_spool& spool, const replay_scope& scope)
        : cursor_(spool), scope_(scope) {}

    /// Sizes are 1 at least, and frees repeat theirs. Throws file_error.
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
