// SPDX-License-Identifier: BSL-1.0
// A shared library that hides all its symbols but these.
#pragma once

#include <freehold/memory/block_cache.hpp>

#include <cstddef>

namespace freehold::tests {

using cache_of_two_libraries = block_cache<232>;

[[gnu::visibility("default")]] void* allocate_in_library();
[[gnu::visibility("default")]] void deallocate_in_library(void* block) noexcept;
[[gnu::visibility("default")]] std::size_t reserved_blocks_in_library() noexcept;

}  // namespace freehold::tests
