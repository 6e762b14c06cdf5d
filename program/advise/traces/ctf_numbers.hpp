// SPDX-License-Identifier: BSL-1.0
// The small numbers by which trace_event names the system's processes and threads.
#pragma once

#include "advise/trace.hpp"
#include "advise/traces/ctf_calls.hpp"
#include "advise/traces/live_blocks.hpp"

#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

namespace freehold {

/// A process that runs another program (exec) keeps the system's number and becomes another process
/// here. Its allocations count for the old name until the recorder gives the new one.
class ctf_numbers {
public:
    /// A call of the kind process_begins only names the process.
    [[nodiscard]] recorded_at at(const ctf_call& call);
    [[nodiscard]] const std::vector<trace_process>& processes() const { return processes_; }

private:
    struct known_process {
        std::uint32_t space = 0;
        std::uint32_t process = 0;
        std::unordered_map<std::uint64_t, std::uint32_t> threads;
    };

    std::unordered_map<std::uint64_t, known_process> known_;  // by the system's number
    std::vector<trace_process> processes_;
    std::uint32_t threads_ = 0;
};

}  // namespace freehold
