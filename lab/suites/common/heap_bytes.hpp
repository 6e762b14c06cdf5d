// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>

#if __has_include(<malloc.h>)
#include <malloc.h>
#endif

namespace lab {

#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 33)
/// Empty, or why heap_bytes() cannot be called on this system.
inline std::string why_no_heap_bytes() {
    return "";
}

/// Makes malloc cut all further blocks from the heap. A block with a mapping of its own would count
/// with its padding for alignment, which no thread touches.
inline void map_no_blocks() noexcept {
    mallopt(M_MMAP_THRESHOLD, 32 << 20);
}

/// Returns the bytes that malloc has handed out and not got back. They include its headers, its
/// rounding and blocks with their own mappings.
inline std::size_t heap_bytes() {
    const struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}
#else
inline void map_no_blocks() noexcept {}

inline std::string why_no_heap_bytes() {
    return "only glibc 2.33 or later counts the heap's bytes";
}

inline std::size_t heap_bytes() {
    throw std::logic_error("heap_bytes() without mallinfo2");
}
#endif

}  // namespace lab
