// SPDX-License-Identifier: BSL-1.0
// Mappings of private memory in whole pages, and what a system can be told of them. Each call is a
// system call or three, and returns nullptr or false where the system refuses or does not know it.
// Thread-safe; does not throw; may change errno.
//
//     std::size_t page_size();
//
// Zeroed memory at a multiple of `alignment`, a power of two. map_reserved takes it from the huge
// pages of `huge` bytes that the system has set aside; `length` is a multiple of that. What was
// mapped is unmapped as a whole.
//
//     void* map_aligned(std::size_t length, std::size_t alignment);
//     void* map_reserved(std::size_t length, std::size_t alignment, std::size_t huge);
//     bool unmap(void* place, std::size_t length);
//
// For whole pages of a mapping: use huge pages; leave these out of children made by fork; take the
// memory back, but not the addresses, so that the contents are lost.
//
//     bool advise_huge(void* place, std::size_t length);
//     bool keep_from_children(void* place, std::size_t length);
//     bool discard(void* place, std::size_t length);
//
// Gives the pages their memory now. A page that is first written to costs a fault of its own, 1 to
// 2 us; asked for together, half as much. Contents stay. Returns zero, or the error: ENOMEM and
// EFAULT if there is no memory for all of it, another one if this cannot be asked here. errno stays
// as it is.
//
//     int prefault(void* memory, std::size_t size);
//
// The mappings of the process as Linux lists them in /proc/self/smaps; null, and errno says why.
//
//     std::FILE* open_list_of_mappings();
#pragma once

#include <freehold/config.hpp>

#if defined(_WIN32)
#include <freehold/platform/windows/pages.hpp>
#else
#include <freehold/platform/posix/pages.hpp>
#endif
