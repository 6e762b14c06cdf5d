// SPDX-License-Identifier: BSL-1.0
#pragma once

namespace lab {

/// In `threaded` a second thread is alive while a process measures; in `single` none was ever
/// started.
enum class process_kind { threaded, single };

inline const char* name_of(process_kind kind) {
    return kind == process_kind::threaded ? "threaded" : "single";
}

}  // namespace lab
