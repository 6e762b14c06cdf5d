// SPDX-License-Identifier: BSL-1.0
// Memory that has its pages before they are written to.
//
// A page that is first written to costs a fault of its own, 1 to 2 us; asked for together, half as
// much. Costs one system call, and the pages stay the process's even if they are never used.
// Only Linux 5.14 and later can do it; elsewhere nothing is done. Thread-safe; does not throw.
#pragma once

#include <freehold/memory/errno_kept.hpp>

#include <cerrno>
#include <cstddef>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace freehold::inline FREEHOLD_ABI::detail {

// `memory` must be aligned to a page. Its contents stay as they are. Returns zero, or the error:
// ENOMEM and EFAULT if there is no memory for all of it, another one if this cannot be asked here.
// errno stays as it is.
inline int prefault([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t size) noexcept {
#if defined(MADV_POPULATE_WRITE)
    const errno_kept kept;
    return ::madvise(memory, size, MADV_POPULATE_WRITE) == 0 ? 0 : errno;
#else
    return ENOSYS;
#endif
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
