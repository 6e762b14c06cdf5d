// SPDX-License-Identifier: BSL-1.0
// Compiled instead of ctf_reader.cpp where libbabeltrace2 is not installed.
#include "advise/traces/ctf_reader.hpp"

#include <fmt/format.h>

namespace freehold {

std::unique_ptr<trace_reader> open_ctf(const std::filesystem::path& folder) {
    throw unreadable_trace(
        fmt::format("{}: this freehold was built without libbabeltrace2, which reads such traces; "
                    "scripts/install of Freehold installs libbabeltrace2-dev and builds again",
                    folder.string()));
}

}  // namespace freehold
