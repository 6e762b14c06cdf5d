// SPDX-License-Identifier: BSL-1.0
#include <freehold/memory/block_cache.hpp>

void use() {
    freehold::block_cache<24>::deallocate(freehold::block_cache<24>::allocate());
#ifdef of_blocks_that_are_not_whole_words  // error: must be of whole words
    freehold::block_cache<20>::deallocate(nullptr);
#endif
#ifdef of_blocks_that_are_large  // error: for small blocks
    freehold::block_cache<1032>::deallocate(nullptr);
#endif
}
