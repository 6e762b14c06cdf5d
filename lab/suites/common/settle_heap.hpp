// SPDX-License-Identifier: BSL-1.0
#pragma once

#if __has_include(<malloc.h>)
#include <malloc.h>
#endif

namespace lab {

/// Brings the heap into the same state, whatever was measured before. glibc coalesces its free
/// blocks, so that the next blocks come in the order of their addresses.
inline void settle_heap() {
#if defined(__GLIBC__)
    malloc_trim(0);
#endif
}

}  // namespace lab
