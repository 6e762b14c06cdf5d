// SPDX-License-Identifier: BSL-1.0
// Aligned memory that is never freed. It does not come from operator new, because a program that
// replaces operator new counts its own allocations. Thread-safe. Returns nullptr if memory is
// exhausted.
#pragma once

#include <freehold/config.hpp>

#include <cstddef>
#include <cstdlib>

#if defined(_WIN32)
#include <malloc.h>
#endif

namespace freehold::inline FREEHOLD_ABI::detail {

[[nodiscard]] inline void* lasting_memory(std::size_t alignment, std::size_t size) noexcept {
#if defined(_WIN32)
    return ::_aligned_malloc(size, alignment);
#else
    // Not aligned_alloc: some systems refuse it a size that is no multiple of the alignment.
    void* memory = nullptr;
    return ::posix_memalign(&memory, alignment, size) == 0 ? memory : nullptr;
#endif
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
