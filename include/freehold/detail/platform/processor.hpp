// SPDX-License-Identifier: BSL-1.0
// Properties of the processor that the program runs on.
#pragma once

#include <freehold/config.hpp>

#include <atomic>
#include <cstddef>

#if !defined(_WIN32)
#include <unistd.h>
#endif
#if defined(__aarch64__) && defined(__linux__)
#include <sys/auxv.h>
#endif

namespace freehold::inline FREEHOLD_ABI::detail {

struct processor_caches {
    std::size_t second_level = 0;  // bytes for each core; 0 if the system does not say
    bool gives_up_to_third_level = false;
};
[[nodiscard]] inline processor_caches caches_of_this_processor() noexcept {
    processor_caches found;
#ifdef _SC_LEVEL2_CACHE_SIZE
    // Not a variable that the first call initialises: see fork_functions.
    static constinit std::atomic<long> known{-1};
    long told = known.load(std::memory_order_relaxed);  // relaxed, both: any thread finds it
    if (told < 0) {
        told = ::sysconf(_SC_LEVEL2_CACHE_SIZE);
        if (told < 0) told = 0;
        known.store(told, std::memory_order_relaxed);
    }
    found.second_level = static_cast<std::size_t>(told);
#endif
#if defined(__x86_64__) || defined(__i386__)
    __builtin_cpu_init();
    found.gives_up_to_third_level = __builtin_cpu_is("amd") != 0;
#endif
    return found;
}

// Pauses for a moment. This leaves the processor's resources, and the cache line of a lock, to
// others.
inline void pause_processor() noexcept {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
}

// Returns whether an aligned load of two words is a single access.
[[nodiscard]] inline bool machine_reads_two_words() noexcept {
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx") != 0;
#elif defined(__aarch64__) && defined(__linux__)
    constexpr unsigned long uscat = 1UL << 25;
    return (::getauxval(AT_HWCAP) & uscat) != 0;
#elif defined(__aarch64__) && defined(__APPLE__)
    return true;  // all of Apple's processors for macOS have ARMv8.4
#else
    return false;
#endif
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
