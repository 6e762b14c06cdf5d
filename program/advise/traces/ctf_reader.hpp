// SPDX-License-Identifier: BSL-1.0
// Traces of LTTng-UST's wrapper of the C library, through libbabeltrace2. A program built without
// that library says so when it is asked to open one.
#pragma once

#include "advise/trace.hpp"

#include <filesystem>
#include <memory>

namespace freehold {

/// Throws unreadable_trace.
[[nodiscard]] std::unique_ptr<trace_reader> open_ctf(const std::filesystem::path& folder);

}  // namespace freehold
