// SPDX-License-Identifier: BSL-1.0
#include "advise/traces/losses_text.hpp"

#include "report/amounts.hpp"

namespace freehold {

void describe_losses(trace_losses& losses) {
    const auto warn = [&](std::uint64_t count, const char* noun, const char* what) {
        if (count != 0) losses.warnings.push_back(number_of(count, noun) + " " + what);
    };
    warn(losses.lost_events, "event",
         "missing: the recorder was too slow; the figures are of the recorded events");
    warn(losses.unknown_frees, "free",
         "of blocks whose allocation is not in the trace (from before it began, before a fork, or "
         "by a function that the recorder does not see): left out");
    warn(losses.missed_frees, "free",
         "not in the trace: their addresses were allocated again, so each "
         "was freed before that");
    warn(losses.failed, "request", "that the allocator refused: ignored");
}

}  // namespace freehold
