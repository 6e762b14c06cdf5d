// SPDX-License-Identifier: BSL-1.0
// Pages by VirtualAlloc; see ../pages.hpp. Huge pages are missing, because they require a
// privilege. Discarding is missing, because afterwards an access would fail until the memory is
// committed again.
#pragma once

#include <freehold/config.hpp>
#include <freehold/detail/platform/windows/kernel32.hpp>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>

namespace freehold::inline FREEHOLD_ABI::detail {

// The page size of x86-64 and ARM64, in all versions of Windows.
[[nodiscard]] constexpr std::size_t page_size() noexcept {
    return 4096;
}

[[nodiscard]] inline void* map_at(void* place, std::size_t length) noexcept {
    constexpr unsigned long commit_and_reserve = 0x3000;
    constexpr unsigned long read_and_write = 0x04;
    return ::VirtualAlloc(place, length, commit_and_reserve, read_and_write);
}

[[nodiscard]] inline bool unmap(void* place, std::size_t) noexcept {
    constexpr unsigned long release = 0x8000;
    return ::VirtualFree(place, 0, release) != 0;
}

// A reservation cannot be cut. So the function releases it and allocates the aligned part again.
// Another thread may take that part in between, so several attempts may be necessary.
[[nodiscard]] inline void* map_aligned(std::size_t length, std::size_t alignment) noexcept {
    constexpr unsigned long reserve = 0x2000;
    constexpr unsigned long no_access = 0x01;
    constexpr std::size_t promised = std::size_t{64} << 10;
    constexpr int attempts = 16;
    if (alignment <= promised) return map_at(nullptr, length);
    for (int i = 0; i != attempts; ++i) {
        void* const found = ::VirtualAlloc(nullptr, length + alignment, reserve, no_access);
        if (found == nullptr || !unmap(found, length + alignment)) return nullptr;
        auto* const begin = static_cast<std::byte*>(found);
        const auto address = reinterpret_cast<std::uintptr_t>(begin);
        void* const mapped = map_at(begin + (-address & (alignment - 1)), length);
        if (mapped != nullptr) return mapped;
    }
    return nullptr;
}

[[nodiscard]] inline void* map_reserved(std::size_t, std::size_t, std::size_t) noexcept {
    return nullptr;
}
[[nodiscard]] inline bool advise_huge(void*, std::size_t) noexcept {
    return false;
}
// Windows has no fork, so no child ever has the memory.
[[nodiscard]] inline bool keep_from_children(void*, std::size_t) noexcept {
    return true;
}
[[nodiscard]] inline bool discard(void*, std::size_t) noexcept {
    return false;
}
inline int prefault(void*, std::size_t) noexcept {
    return ENOSYS;
}
[[nodiscard]] inline std::FILE* open_list_of_mappings() noexcept {
    errno = ENOSYS;
    return nullptr;
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
