// SPDX-License-Identifier: BSL-1.0
// Marks bytes as inaccessible for the address sanitizer. Without the sanitizer, both functions do
// nothing.
#pragma once

#include <freehold/config.hpp>

#include <cstddef>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#include <sanitizer/asan_interface.h>
#endif
#endif

namespace freehold::inline FREEHOLD_ABI::detail {

// The sanitizer's header defines these macros only if the unit is compiled for the sanitizer.
[[gnu::always_inline]] inline void poison([[maybe_unused]] void* bytes,
                                          [[maybe_unused]] std::size_t size) noexcept {
#ifdef ASAN_POISON_MEMORY_REGION
    ASAN_POISON_MEMORY_REGION(bytes, size);
#endif
}
[[gnu::always_inline]] inline void unpoison([[maybe_unused]] void* bytes,
                                            [[maybe_unused]] std::size_t size) noexcept {
#ifdef ASAN_POISON_MEMORY_REGION
    ASAN_UNPOISON_MEMORY_REGION(bytes, size);
#endif
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
