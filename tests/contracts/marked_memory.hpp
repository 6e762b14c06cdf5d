// SPDX-License-Identifier: BSL-1.0
// Memory filled with a pattern of its own, which tells whether anybody else has written to it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace freehold::contracts {

// The pattern differs from byte to byte, and from place to place.
[[nodiscard]] inline std::size_t first_mark(const void* memory) noexcept {
    return (reinterpret_cast<std::uintptr_t>(memory) >> 4) * 31;
}

inline void mark(void* memory, std::size_t bytes) noexcept {
    const std::size_t first = first_mark(memory);
    auto* const place = static_cast<unsigned char*>(memory);
    for (std::size_t i = 0; i < bytes; ++i) {
        place[i] = static_cast<unsigned char>(first + i * 7 + i / 256);
    }
}

[[nodiscard]] inline bool is_marked(const void* memory, std::size_t bytes) noexcept {
    const std::size_t first = first_mark(memory);
    const auto* const place = static_cast<const unsigned char*>(memory);
    for (std::size_t i = 0; i < bytes; ++i) {
        if (place[i] != static_cast<unsigned char>(first + i * 7 + i / 256)) return false;
    }
    return true;
}

[[nodiscard]] inline bool is_aligned(const void* memory, std::size_t alignment) noexcept {
    return reinterpret_cast<std::uintptr_t>(memory) % alignment == 0;
}

}  // namespace freehold::contracts
