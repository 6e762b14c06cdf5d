// SPDX-License-Identifier: BSL-1.0
// The events that a lab prints while it measures a suite, one on each line. lab/README.md specifies
// them.
#pragma once

#include "results/result_file.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace freehold {

struct plan_event {
    std::int64_t runs;
};

struct figure {
    std::string subject;
    std::string test_case;
    std::optional<std::int64_t> n;
    std::string unit;
    double value;
    std::optional<std::string> note;
};

struct sample_event : figure {};

struct exact_event : figure {};

struct skipped_event {
    std::string subject;
    std::string test_case;
    std::string reason;
    std::int64_t runs = 0;  // how many planned samples will not follow
};

struct done_event {
    sample_counts counts;
};

using lab_event = std::variant<plan_event, sample_event, exact_event, skipped_event, done_event>;

/// Throws json_error if the line is not an event.
[[nodiscard]] lab_event parse_lab_event(std::string_view line);

}  // namespace freehold
