// SPDX-License-Identifier: BSL-1.0
// Blocks in which no word tells the type: those of freehold::arc for objects without virtual
// functions. Each handle points to the object. A place is such a block if
//
// - a handle may point there, and there is a block of that size in use: of a pool, or from malloc
//   alone;
// - the words before the object are counts, of no more handles than there are words that point
//   to the object.
//
// Several types may fit. A type does not fit if, where its object would have handles, there are
// none that point to an object of their type. A handle in an object whose type is known decides.
#pragma once

#include "owners/block_kinds.hpp"
#include "owners/glibc_heap.hpp"
#include "owners/memory_image.hpp"
#include "owners/object_walker.hpp"
#include "owners/pool_map.hpp"

#include <cstdint>
#include <functional>
#include <vector>

namespace freehold {

struct block_by_handles {
    std::uint64_t address = 0;
    std::vector<std::uint32_t> kinds;  // that fit
    bool is_one_layout = true;         // all of them have handles at the same places
};

/// Calls its argument for each handle in the objects of blocks that a word tells.
using told_handles = std::function<void(const std::function<void(const object_content::handle&)>&)>;

/// Calls `use` for each block. `told` is called only if several types fit.
void find_blocks_by_handles(const memory_image& image, const glibc_heap& heap,
                            const pool_map& pools, const block_kinds& kinds, object_walker& walker,
                            const words_of_program& words, const told_handles& told,
                            const std::function<void(const block_by_handles&)>& use);

}  // namespace freehold
