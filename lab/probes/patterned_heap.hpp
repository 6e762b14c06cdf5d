// SPDX-License-Identifier: BSL-1.0
// Memory that is full of a pattern when it is handed out. With patterned_heap.cpp, operator new
// hands out only such memory.
#pragma once

#include <cstddef>

namespace lab {

constexpr unsigned char pattern = 0xA5;

/// The caller must give the memory back to std::free. Throws std::bad_alloc.
void* patterned(std::size_t size, std::size_t alignment);

}  // namespace lab
