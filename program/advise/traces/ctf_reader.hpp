// SPDX-License-Identifier: BSL-1.0
// Reads traces of LTTng-UST's wrapper of the C library, with libbabeltrace2. In a program that is
// built without that library, open_ctf throws an error that says so.
#pragma once

#include "advise/trace.hpp"

#include <filesystem>
#include <memory>

namespace freehold {

/// Throws unreadable_trace.
[[nodiscard]] std::unique_ptr<trace_reader> open_ctf(const std::filesystem::path& folder);

}  // namespace freehold
