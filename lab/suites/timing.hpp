// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <chrono>

#if __has_include(<malloc.h>)
#include <malloc.h>
#endif

namespace lab {

using clock = std::chrono::steady_clock;

inline double seconds_since(clock::time_point begin) noexcept {
    return std::chrono::duration<double>(clock::now() - begin).count();
}

/// Brings the heap into the same state whatever was measured before: glibc coalesces its free
/// blocks, so that the next ones come in address order, and gives whole free pages back, so that
/// every fill pays for them anew.
inline void settle_heap() noexcept {
#if defined(__GLIBC__)
    malloc_trim(0);
#endif
}

}  // namespace lab
