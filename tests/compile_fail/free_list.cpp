// SPDX-License-Identifier: BSL-1.0
#include <freehold/memory/free_list.hpp>

void use() {
    static_cast<void>(freehold::free_list<16, 8>::allocate());
#ifdef of_blocks_too_small_to_be_linked  // error: must hold two pointers
    static_cast<void>(freehold::free_list<8, 8>::allocate());
#endif
#ifdef of_blocks_that_cannot_be_neighbours  // error: must be aligned alike
    static_cast<void>(freehold::free_list<24, 16>::allocate());
#endif
}
