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

/// Has all blocks that are asked for from now on cut from the heap: those that are mapped by
/// themselves count with the room that their alignment leaves over, which nobody ever touches.
inline void map_no_blocks() noexcept {
    mallopt(M_MMAP_THRESHOLD, 32 << 20);
}

/// What malloc has handed out and not got back: its headers and rounding included, blocks mapped by
/// themselves too.
inline std::size_t heap_bytes() {
    const struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}
#else
inline void map_no_blocks() noexcept {}

inline std::string why_no_heap_bytes() {
    return "the heap's bytes are counted by glibc 2.33 or later alone";
}

inline std::size_t heap_bytes() {
    throw std::logic_error("heap_bytes() without mallinfo2");
}
#endif

}  // namespace lab
