// SPDX-License-Identifier: BSL-1.0
// The operators that GenMC does not know, for a program that it interprets: those with an alignment
// or a size. Included by one file of it.
#pragma once

#include "model/genmc.hpp"

#include <cstddef>
#include <new>

void* operator new(std::size_t size, std::align_val_t alignment) {
    return __VERIFIER_malloc_aligned(static_cast<std::size_t>(alignment), size);
}
void operator delete(void* memory, std::align_val_t) noexcept {
    ::operator delete(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
    ::operator delete(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    ::operator delete(memory);
}
