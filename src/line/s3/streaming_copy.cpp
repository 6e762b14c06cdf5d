// SPDX-License-Identifier: BSL-1.0
#include "line/s3/streaming_copy.hpp"

#include <freehold/detail/sanitizers.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

namespace freehold::inline FREEHOLD_ABI::detail {

#if defined(__x86_64__)

// Streams whole cache lines, so that no line is written in parts.
void streaming_copy(std::byte* to, const std::byte* from, std::size_t size) noexcept {
    constexpr std::size_t line = 64;
    constexpr std::size_t word = sizeof(__m128i);
    if constexpr (under_address_sanitizer || under_thread_sanitizer) {
        std::memcpy(to, from, size);
        return;
    }
    const std::size_t head = std::min(size, -reinterpret_cast<std::uintptr_t>(to) % line);
    std::memcpy(to, from, head);
    std::size_t at = head;
    for (; size - at >= line; at += line) {
        for (std::size_t part = at; part != at + line; part += word) {
            _mm_stream_si128(reinterpret_cast<__m128i*>(to + part),
                             _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + part)));
        }
    }
    std::memcpy(to + at, from + at, size - at);
    // A C++ release does not order streaming stores; this does.
    _mm_sfence();
}

#else

void streaming_copy(std::byte* to, const std::byte* from, std::size_t size) noexcept {
    std::memcpy(to, from, size);
}

#endif

}  // namespace freehold::inline FREEHOLD_ABI::detail
