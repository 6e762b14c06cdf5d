// SPDX-License-Identifier: BSL-1.0
// Private mappings of whole pages, and advice to the system about them. Each function makes one to
// three system calls. It returns nullptr or false if the system refuses or lacks the feature.
// Thread-safe; does not throw; may change errno.
//
//     std::size_t page_size();
//
// The next functions map and unmap zeroed memory. The address is a multiple of `alignment`, a power
// of two. map_reserved takes the memory from the huge pages of `huge` bytes that the system has
// reserved; `length` is a multiple of `huge`. A mapping is unmapped as a whole.
//
//     void* map_aligned(std::size_t length, std::size_t alignment);
//     void* map_reserved(std::size_t length, std::size_t alignment, std::size_t huge);
//     bool unmap(void* place, std::size_t length);
//
// The next functions apply to whole pages of a mapping. advise_huge requests huge pages.
// keep_from_children excludes the pages from children made by fork. discard returns the memory but
// keeps the addresses, so the contents are lost.
//
//     bool advise_huge(void* place, std::size_t length);
//     bool keep_from_children(void* place, std::size_t length);
//     bool discard(void* place, std::size_t length);
//
// prefault provides the memory of the pages now, and keeps the contents. A page that is first
// written later costs a fault of its own, 1 to 2 us. Prefaulting many pages together costs half as
// much for each. Returns zero or the error. ENOMEM and EFAULT mean that memory is missing for some
// pages. Another error means that this system cannot prefault. errno does not change.
//
//     int prefault(void* memory, std::size_t size);
//
// open_list_of_mappings opens /proc/self/smaps, where Linux lists the mappings of the process. It
// returns null and sets errno if that fails.
//
//     std::FILE* open_list_of_mappings();
#pragma once

#include <freehold/config.hpp>

#if defined(_WIN32)
#include <freehold/detail/platform/windows/pages.hpp>
#else
#include <freehold/detail/platform/posix/pages.hpp>
#endif
