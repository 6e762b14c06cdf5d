// SPDX-License-Identifier: BSL-1.0
// A shared library that hides all its symbols but these.
#pragma once

#include <freehold/memory/common_pool.hpp>

#include <cstddef>

namespace freehold::tests {

using pool_of_two_libraries = common_pool<232>;

[[gnu::visibility("default")]] void* allocate_in_library();
[[gnu::visibility("default")]] void deallocate_in_library(void* block) noexcept;
[[gnu::visibility("default")]] std::size_t capacity_in_library() noexcept;

}  // namespace freehold::tests
