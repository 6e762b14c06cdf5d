// SPDX-License-Identifier: BSL-1.0
// What one arrow_file has read, or all files of one arrow_filesystem. Thread-safe.
#pragma once

#include <freehold/config.hpp>
#include <freehold/line/arrow_file_statistics.hpp>

#include "line/event_counter.hpp"

namespace freehold::inline FREEHOLD_ABI::detail {

struct read_counters {
    event_counter reads;
    event_counter bytes_pinned;
    event_counter bytes_copied;

    [[nodiscard]] arrow_file_statistics read() const noexcept {
        return {reads.read(), bytes_pinned.read(), bytes_copied.read()};
    }
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
