// SPDX-License-Identifier: BSL-1.0
// Marks bytes as inaccessible for the address sanitizer. Does nothing without it.
#pragma once

#include <freehold/config.hpp>
#include <freehold/memory/sanitizers.hpp>

#include <cstddef>

extern "C" void __asan_poison_memory_region(const volatile void* begin, std::size_t size);
extern "C" void __asan_unpoison_memory_region(const volatile void* begin, std::size_t size);

namespace freehold::inline FREEHOLD_ABI::detail {

inline void poison([[maybe_unused]] std::byte* bytes, [[maybe_unused]] std::size_t size) noexcept {
    if constexpr (under_address_sanitizer) __asan_poison_memory_region(bytes, size);
}
inline void unpoison([[maybe_unused]] std::byte* bytes,
                     [[maybe_unused]] std::size_t size) noexcept {
    if constexpr (under_address_sanitizer) __asan_unpoison_memory_region(bytes, size);
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
