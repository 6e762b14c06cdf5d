// SPDX-License-Identifier: BSL-1.0
// Pages by mmap and madvise; see ../pages.hpp. A function for advice that the system lacks returns
// false.
#pragma once

#include <freehold/config.hpp>

#include <atomic>
#include <bit>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>

#include <sys/mman.h>
#include <unistd.h>
#if defined(__APPLE__)
#include <mach/vm_inherit.h>
#endif

namespace freehold::inline FREEHOLD_ABI::detail {

[[nodiscard]] inline std::size_t page_size() noexcept {
#if defined(__x86_64__)
    return 4096;  // on every processor
#else
    // Not a variable that the first call initialises: see fork_functions.
    static constinit std::atomic<std::size_t> known{0};
    std::size_t size = known.load(std::memory_order_relaxed);  // relaxed, both: any thread finds it
    if (size == 0) [[unlikely]] {
        size = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
        known.store(size, std::memory_order_relaxed);
    }
    return size;
#endif
}

// mmap guarantees only the alignment of a page, which is `granule`. For more, the function makes a
// mapping that is longer by the difference, and unmaps the parts before and behind. Such a mapping
// can be cut only at multiples of `granule`. If the system refuses a cut, the function unmaps
// everything. A cut may need one mapping more than a process may have.
[[nodiscard]] inline void* map_and_cut(std::size_t length, std::size_t alignment,
                                       std::size_t granule, int flags) noexcept {
    const std::size_t slack = alignment > granule ? alignment - granule : 0;
    void* const mapped = ::mmap(nullptr, length + slack, PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
    if (mapped == MAP_FAILED) return nullptr;
    auto* const begin = static_cast<std::byte*>(mapped);
    const auto address = reinterpret_cast<std::uintptr_t>(begin);
    const std::size_t before = slack == 0 ? 0 : -address & (alignment - 1);
    const std::size_t behind = slack - before;
    if (before > 0 && ::munmap(begin, before) != 0) {
        static_cast<void>(::munmap(begin, length + slack));
        return nullptr;
    }
    // From here on, the part before may belong to another thread.
    if (behind > 0 && ::munmap(begin + before + length, behind) != 0) {
        static_cast<void>(::munmap(begin + before, length + behind));
        return nullptr;
    }
    return begin + before;
}

[[nodiscard]] inline void* map_aligned(std::size_t length, std::size_t alignment) noexcept {
    return map_and_cut(length, alignment, page_size(), 0);
}

[[nodiscard]] inline void* map_reserved([[maybe_unused]] std::size_t length,
                                        [[maybe_unused]] std::size_t alignment,
                                        [[maybe_unused]] std::size_t huge) noexcept {
#if defined(MAP_HUGETLB)
    constexpr int log2_of_size_shift = 26;  // MAP_HUGE_SHIFT, which some headers lack
    const int of_size = static_cast<int>(std::countr_zero(huge)) << log2_of_size_shift;
    return map_and_cut(length, alignment, huge, MAP_HUGETLB | of_size);
#else
    return nullptr;
#endif
}

[[nodiscard]] inline bool unmap(void* place, std::size_t length) noexcept {
    return ::munmap(place, length) == 0;
}

[[nodiscard]] inline bool advise_huge([[maybe_unused]] void* place,
                                      [[maybe_unused]] std::size_t length) noexcept {
#if defined(MADV_HUGEPAGE)
    return ::madvise(place, length, MADV_HUGEPAGE) == 0;
#else
    return false;
#endif
}

[[nodiscard]] inline bool keep_from_children([[maybe_unused]] void* place,
                                             [[maybe_unused]] std::size_t length) noexcept {
#if defined(MADV_DONTFORK)
    return ::madvise(place, length, MADV_DONTFORK) == 0;
#elif defined(VM_INHERIT_NONE)  // macOS
    return ::minherit(place, length, VM_INHERIT_NONE) == 0;
#elif defined(INHERIT_NONE)     // the BSDs
    return ::minherit(place, length, INHERIT_NONE) == 0;
#else
    return false;
#endif
}

[[nodiscard]] inline bool discard(void* place, std::size_t length) noexcept {
#if defined(__linux__)
    constexpr int at_once = MADV_DONTNEED;
#else
    // On other systems MADV_DONTNEED keeps the contents, and with them the memory.
    constexpr int at_once = MADV_FREE;
#endif
    return ::madvise(place, length, at_once) == 0;
}

// Only Linux 5.14 and later can prefault.
inline int prefault([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t size) noexcept {
#if defined(MADV_POPULATE_WRITE)
    const int before = errno;
    const int error = ::madvise(memory, size, MADV_POPULATE_WRITE) == 0 ? 0 : errno;
    errno = before;
    return error;
#else
    return ENOSYS;
#endif
}

[[nodiscard]] inline std::FILE* open_list_of_mappings() noexcept {
    return std::fopen("/proc/self/smaps", "re");
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
