// SPDX-License-Identifier: BSL-1.0
// `freehold advise TRACE`: what a buffer cache would do for the program that was recorded.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace freehold {

struct advise_options {
    std::string trace;
    std::uint64_t min_size = 0;
    std::optional<std::uint64_t> max_idle;
    std::optional<std::string> html;  // the page; advice.html if the user names none
};

/// Writes the advice to standard output and its progress to standard error. Replaces the file of
/// the page completely or not at all. Returns 0. Throws unreadable_trace, file_error and no_advice.
[[nodiscard]] int advise_command(const advise_options& options);

}  // namespace freehold
