// SPDX-License-Identifier: BSL-1.0
// Objects that count their own owners and have no virtual functions. No word tells their type, and
// a plain pointer to another object looks like a handle to one. A place may be such an object if
// memory of its type's size is in use there, and its count is no larger than the words that point
// there. It is one if
//
// - a handle of that type leads there: in an object whose type is known, or in a variable. Such a
//   handle may be left over, so it counts only if no pointer to another type leads there; or
// - as many handles as its count says lead there, all of them in other such places. So a ring that
//   nothing leads to is found. It is not found if another class of the program could look the same:
//   one of that size, with plain pointers where this one has handles.
#pragma once

#include "owners/block_kinds.hpp"
#include "owners/blocks_by_handles.hpp"
#include "owners/glibc_heap.hpp"
#include "owners/memory_image.hpp"
#include "owners/object_walker.hpp"
#include "owners/pool_map.hpp"
#include "owners/type_layouts.hpp"
#include "owners/typed_places.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace freehold {

/// Calls its argument, as `use(kind, type, block, object)`, for each object whose type is known.
using known_objects =
    std::function<void(const std::function<void(const block_kind& kind, Dwarf_Die type,
                                                std::uint64_t block, std::uint64_t object)>&)>;

struct not_self_counted {
    // How many places may be objects of each type: handles lead there, but that is not enough.
    std::map<std::string, std::size_t> doubtful;
    std::set<std::string> with_wrong_counts;  // types whose count seems to be another member
};

/// Calls `use` for each object. Returns what may be such objects, too.
not_self_counted find_self_counted(const memory_image& image, const glibc_heap& heap,
                                   const pool_map& pools, const block_kinds& kinds,
                                   object_walker& walker, type_layouts& types, typed_places& places,
                                   const words_of_program& words, const known_objects& known,
                                   const std::function<void(const block_by_handles&)>& use);

}  // namespace freehold
