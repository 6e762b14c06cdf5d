// SPDX-License-Identifier: BSL-1.0
// All of a trace in memory, in a form that reads well beside what is expected.
#pragma once

#include "advise/trace.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace freehold {

struct whole_trace {
    std::vector<trace_event> events;
    trace_losses losses;
    std::vector<trace_process> processes;
    double progress = 0;

    /// "+100 -100 +7": sizes, in the order of events.
    [[nodiscard]] std::string sizes() const {
        std::string text;
        for (const trace_event& event : events) {
            if (!text.empty()) text += ' ';
            text += event.what == trace_event::kind::allocate ? '+' : '-';
            text += std::to_string(event.size);
        }
        return text;
    }
    [[nodiscard]] bool warns_of(const std::string& what) const {
        return std::any_of(
            losses.warnings.begin(), losses.warnings.end(),
            [&](const auto& warning) { return warning.find(what) != std::string::npos; });
    }
};

inline whole_trace read_trace(const std::filesystem::path& path) {
    whole_trace result;
    const auto reader = open_trace(path);
    for (trace_event event; reader->next(event);) result.events.push_back(event);
    result.losses = reader->losses();
    result.processes = reader->processes();
    result.progress = reader->progress();
    return result;
}

/// What open_trace or the first event says of what cannot be read; empty if it can be.
inline std::string refusal_of(const std::filesystem::path& path) {
    try {
        trace_event event;
        open_trace(path)->next(event);
    } catch (const unreadable_trace& error) {
        return error.what();
    }
    return {};
}

}  // namespace freehold
