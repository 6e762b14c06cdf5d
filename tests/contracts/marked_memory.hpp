// SPDX-License-Identifier: BSL-1.0
// Memory filled with a pattern of its own, which tells whether anybody else has written to it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace freehold::contracts {

// Differs from byte to byte, and from place to place.
inline unsigned char mark_at(const void* memory, std::size_t i) noexcept {
    const auto address = reinterpret_cast<std::uintptr_t>(memory);
    return static_cast<unsigned char>((address >> 4) * 31 + i * 7 + i / 256);
}

inline void mark(void* memory, std::size_t bytes) noexcept {
    auto* const place = static_cast<unsigned char*>(memory);
    for (std::size_t i = 0; i < bytes; ++i) place[i] = mark_at(memory, i);
}

[[nodiscard]] inline bool is_marked(const void* memory, std::size_t bytes) noexcept {
    const auto* const place = static_cast<const unsigned char*>(memory);
    for (std::size_t i = 0; i < bytes; ++i) {
        if (place[i] != mark_at(memory, i)) return false;
    }
    return true;
}

[[nodiscard]] inline bool is_aligned(const void* memory, std::size_t alignment) noexcept {
    return reinterpret_cast<std::uintptr_t>(memory) % alignment == 0;
}

}  // namespace freehold::contracts
