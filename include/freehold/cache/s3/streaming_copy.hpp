// SPDX-License-Identifier: BSL-1.0
// memcpy to memory that is not read again soon: past the processor's caches, where an ordinary
// store to memory that they do not have reads it first, only to overwrite it.
//
// Costs less than half of memcpy where the destination is in no cache, somewhat more where it is,
// and a reader fetches the bytes from memory. For pieces of some KiB, of what is altogether larger
// than a core's cache. Elsewhere than on x86-64 it is memcpy; so it is under sanitizers, which see
// no such stores.
#pragma once

#include <freehold/memory/sanitizers.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

namespace freehold::inline FREEHOLD_ABI::detail {

// The largest second-level cache that a core of today has to itself.
inline constexpr std::size_t cache_of_a_core = std::size_t{2} << 20;

#if defined(__x86_64__)

// Whole cache lines are streamed, so that no line is written in parts. Not inlined, so that
// profiles name it.
[[gnu::noinline]] inline void streaming_copy(std::byte* to, const std::byte* from,
                                             std::size_t size) noexcept {
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
    // Streamed stores are ordered by no release of C++, but by this.
    _mm_sfence();
}

#else

inline void streaming_copy(std::byte* to, const std::byte* from, std::size_t size) noexcept {
    std::memcpy(to, from, size);
}

#endif

}  // namespace freehold::inline FREEHOLD_ABI::detail
