// SPDX-License-Identifier: BSL-1.0
// heaptrack's files of version 3, the raw ones (`heaptrack --raw`) and the interpreted ones. The
// interpreted ones name a block by its size and call stack, not by its address: which of several
// such blocks is freed is taken to be the youngest.
#pragma once

#include "advise/trace.hpp"

#include <filesystem>
#include <memory>

namespace freehold {

/// Throws unreadable_trace.
[[nodiscard]] std::unique_ptr<trace_reader> open_heaptrack(const std::filesystem::path& file);

}  // namespace freehold
