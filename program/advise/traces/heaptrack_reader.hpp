// SPDX-License-Identifier: BSL-1.0
// Reads heaptrack's files of version 3: the raw ones (`heaptrack --raw`) and the interpreted ones.
// The interpreted ones name a block by its size and call stack, not by its address. If several
// blocks match, the reader assumes that the youngest is freed.
#pragma once

#include "advise/trace.hpp"

#include <filesystem>
#include <memory>

namespace freehold {

/// Throws unreadable_trace.
[[nodiscard]] std::unique_ptr<trace_reader> open_heaptrack(const std::filesystem::path& file);

}  // namespace freehold
