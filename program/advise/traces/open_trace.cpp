// SPDX-License-Identifier: BSL-1.0
#include "advise/trace.hpp"
#include "advise/traces/ctf_reader.hpp"
#include "advise/traces/heaptrack_reader.hpp"

#include <system_error>

#include <fmt/format.h>

namespace freehold {

std::unique_ptr<trace_reader> open_trace(const std::filesystem::path& path) {
    std::error_code error;
    const auto status = std::filesystem::status(path, error);
    if (!std::filesystem::exists(status))
        throw unreadable_trace(fmt::format("{}: there is no such file or folder", path.string()));
    return std::filesystem::is_directory(status) ? open_ctf(path) : open_heaptrack(path);
}

}  // namespace freehold
