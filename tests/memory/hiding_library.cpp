// SPDX-License-Identifier: BSL-1.0
#include "memory/hiding_library.hpp"

namespace freehold::tests {

void* allocate_in_library() {
    return pool_of_two_libraries::allocate();
}
void deallocate_in_library(void* block) noexcept {
    pool_of_two_libraries::deallocate(block);
}
std::size_t capacity_in_library() noexcept {
    return pool_of_two_libraries::capacity();
}

}  // namespace freehold::tests
