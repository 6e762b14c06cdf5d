// SPDX-License-Identifier: BSL-1.0
// Mappings of private memory at an address of any alignment. Each call is a system call or three;
// it returns nullptr or false where the system refuses. Thread-safe; does not throw.
#pragma once

#include <freehold/memory/rounding.hpp>

#include <cstddef>
#include <cstdint>

#include <sys/mman.h>
#include <unistd.h>

namespace freehold::inline FREEHOLD_ABI::detail {

[[nodiscard]] inline std::size_t page_size() noexcept {
    static const auto size = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    return size;
}

// mmap promises the alignment of a page, which is `granule`, and no more. For more, a mapping is
// made that is longer by the difference, and what lies before and behind is cut off. `granule` is
// also what such a mapping can be cut at. If the cut is refused (it may need one mapping more than
// a process may have), all is given back.
[[nodiscard]] inline void* map_aligned(std::size_t length, std::size_t alignment,
                                       std::size_t granule, int flags) noexcept {
    const std::size_t slack = alignment > granule ? alignment - granule : 0;
    void* const mapped = ::mmap(nullptr, length + slack, PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
    if (mapped == MAP_FAILED) return nullptr;
    auto* const begin = static_cast<std::byte*>(mapped);
    const auto address = reinterpret_cast<std::uintptr_t>(begin);
    const std::size_t before = slack == 0 ? 0 : up_to_whole(alignment, address) - address;
    const std::size_t behind = slack - before;
    if (before > 0 && ::munmap(begin, before) != 0) {
        static_cast<void>(::munmap(begin, length + slack));
        return nullptr;
    }
    // From here on what lay before may be another thread's.
    if (behind > 0 && ::munmap(begin + before + length, behind) != 0) {
        static_cast<void>(::munmap(begin + before, length + behind));
        return nullptr;
    }
    return begin + before;
}

[[nodiscard]] inline bool advise_huge([[maybe_unused]] void* place,
                                      [[maybe_unused]] std::size_t length) noexcept {
#if defined(MADV_HUGEPAGE)
    return ::madvise(place, length, MADV_HUGEPAGE) == 0;
#else
    return false;
#endif
}

[[nodiscard]] inline bool advise_no_fork([[maybe_unused]] void* place,
                                         [[maybe_unused]] std::size_t length) noexcept {
#if defined(MADV_DONTFORK)
    return ::madvise(place, length, MADV_DONTFORK) == 0;
#else
    return false;
#endif
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
