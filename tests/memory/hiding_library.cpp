// SPDX-License-Identifier: BSL-1.0
#include "memory/hiding_library.hpp"

namespace freehold::tests {

void* allocate_in_library() {
    return cache_of_two_libraries::allocate();
}
void deallocate_in_library(void* block) noexcept {
    cache_of_two_libraries::deallocate(block);
}
std::size_t reserved_blocks_in_library() noexcept {
    return cache_of_two_libraries::reserved_blocks();
}

}  // namespace freehold::tests
