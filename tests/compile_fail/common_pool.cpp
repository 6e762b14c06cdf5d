// SPDX-License-Identifier: BSL-1.0
#include <freehold/memory/common_pool.hpp>

void use() {
    freehold::common_pool<24>::deallocate(freehold::common_pool<24>::allocate());
#ifdef of_blocks_that_are_not_whole_words
    // error: a block must be of whole words
    freehold::common_pool<20>::deallocate(nullptr);
#endif
#ifdef of_blocks_that_are_large
    // error: a common pool is for small blocks: make a pool of your own for larger ones
    freehold::common_pool<1032>::deallocate(nullptr);
#endif
}
