// SPDX-License-Identifier: BSL-1.0
// A memcpy that bypasses the processor's caches, for memory that is not read again soon. An
// ordinary store to memory that is not cached reads the memory first, only to overwrite it.
//
// It costs less than half of memcpy if the destination is not cached, and somewhat more if it is. A
// later reader must fetch the bytes from memory. Use it for pieces of some KiB of data that is
// larger than a core's cache. Except on x86-64, and under sanitizers, it is memcpy.
#pragma once

#include <freehold/config.hpp>

#include <cstddef>

namespace freehold::inline FREEHOLD_ABI::detail {

// The largest second-level cache that belongs to one core on current processors.
inline constexpr std::size_t cache_of_a_core = std::size_t{2} << 20;

void streaming_copy(std::byte* to, const std::byte* from, std::size_t size) noexcept;

}  // namespace freehold::inline FREEHOLD_ABI::detail
