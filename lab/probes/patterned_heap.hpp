// SPDX-License-Identifier: BSL-1.0
// Memory that is full of a pattern when it is handed out: patterned_heap.cpp makes operator new
// give no other.
#pragma once

#include <cstddef>

namespace lab {

constexpr unsigned char pattern = 0xA5;

/// To be given back to std::free. Throws std::bad_alloc.
void* patterned(std::size_t size, std::size_t alignment);

}  // namespace lab
