// SPDX-License-Identifier: BSL-1.0
#include "advise/traces/ctf_numbers.hpp"

namespace freehold {

recorded_at ctf_numbers::at(const ctf_call& call) {
    const auto [found, added] = known_.try_emplace(call.process);
    known_process& known = found->second;
    if (added) known.space = static_cast<std::uint32_t>(known_.size() - 1);

    const auto begin_process = [&] {
        known.process = static_cast<std::uint32_t>(processes_.size());
        processes_.push_back({call.name, call.process});
        known.threads.clear();
    };
    if (added) {
        begin_process();
    } else if (!call.name.empty()) {
        std::string& name = processes_[known.process].name;
        if (name.empty())
            name = call.name;
        else if (name != call.name)
            begin_process();
    }

    recorded_at result;
    result.space = known.space;
    result.process = known.process;
    if (call.what == ctf_call::kind::process_begins) return result;
    const auto [thread, first] = known.threads.try_emplace(call.thread, threads_);
    if (first) ++threads_;
    result.thread = thread->second;
    return result;
}

}  // namespace freehold
