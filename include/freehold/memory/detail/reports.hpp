// SPDX-License-Identifier: BSL-1.0
// The messages of a pool on standard error. A report of misuse ends the program; a report of blocks
// in use does not.
#pragma once

#include <freehold/config.hpp>

#include <cstddef>
#include <cstdio>
#include <exception>

namespace freehold::inline FREEHOLD_ABI::detail {

[[noreturn, gnu::noinline, gnu::cold]] inline void report_double_free(const char* pool,
                                                                      const void* block) noexcept {
    std::fprintf(stderr, "freehold: pool '%s': block %p was freed although it is free\n", pool,
                 block);
    std::terminate();
}

[[noreturn, gnu::noinline, gnu::cold]] inline void report_foreign_block(
    const char* pool, const void* block) noexcept {
    std::fprintf(stderr, "freehold: pool '%s': %p was freed, which is no block of this pool\n",
                 pool, block);
    std::terminate();
}

[[noreturn, gnu::noinline, gnu::cold]] inline void report_overrun(const char* pool,
                                                                  const void* block) noexcept {
    std::fprintf(stderr, "freehold: pool '%s': what stands behind block %p was written to\n", pool,
                 block);
    std::terminate();
}

[[noreturn, gnu::noinline, gnu::cold]] inline void report_underrun(const char* pool,
                                                                   const void* block) noexcept {
    std::fprintf(stderr, "freehold: pool '%s': what stands in front of block %p was written to\n",
                 pool, block);
    std::terminate();
}

[[noreturn, gnu::noinline, gnu::cold]] inline void report_use_after_free(
    const char* pool, const void* block) noexcept {
    std::fprintf(stderr, "freehold: pool '%s': block %p was written to while it was free\n", pool,
                 block);
    std::terminate();
}

[[gnu::noinline, gnu::cold]] inline void report_blocks_out(const char* pool, std::size_t out,
                                                           std::size_t capacity) noexcept {
    std::fprintf(stderr,
                 "freehold: pool '%s' is destroyed while %zu of its %zu blocks are in use\n", pool,
                 out, capacity);
}

[[gnu::noinline, gnu::cold]] inline void report_block_out(const char* pool,
                                                          const void* block) noexcept {
    std::fprintf(stderr, "freehold: pool '%s': block %p is in use\n", pool, block);
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
