// SPDX-License-Identifier: BSL-1.0
#include "probes/patterned_heap.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

void* lab::patterned(std::size_t size, std::size_t alignment) {
    alignment = std::max(alignment, alignof(std::max_align_t));
    const std::size_t whole =
        (std::max<std::size_t>(size, 1) + alignment - 1) / alignment * alignment;
    void* const memory = std::aligned_alloc(alignment, whole);
    if (memory == nullptr) throw std::bad_alloc();
    return std::memset(memory, pattern, whole);
}

// The other forms of operator new call these two.
void* operator new(std::size_t size) {
    return lab::patterned(size, 1);
}
void* operator new(std::size_t size, std::align_val_t alignment) {
    return lab::patterned(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
    std::free(memory);
}
