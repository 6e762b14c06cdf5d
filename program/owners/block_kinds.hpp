// SPDX-License-Identifier: BSL-1.0
// Which words in memory begin a block of counts, by the symbols of a program.
#pragma once

#include "code/known_handles.hpp"
#include "owners/linked_rings.hpp"
#include "owners/modules.hpp"
#include "owners/type_layouts.hpp"

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace freehold {

struct block_kind {
    const known_handle* handle = nullptr;
    const known_blocks::block_class* is = nullptr;
    const known_blocks::count_layout* counts = nullptr;
    std::string type;              // of the object
    std::uint64_t function = 0;    // a member function of the block's class; 0 if unknown
    std::uint64_t count_at = 0;    // bytes from the block's begin to its counts
    std::uint64_t pointed_at = 0;  // bytes from there to where handles point
    std::uint64_t bytes = 0;       // of blocks of objects without a destructor, or told by handles
    Dwarf_Die object{};            // the type, if the block's first word does not tell it
    std::uint64_t number_at = 0;   // of an array, bytes from the block's begin to its number
    std::uint64_t element = 0;     // the size of one of its elements; 0 if it is no array
    const linked_rings* rings = nullptr;  // which have the owners, if there are no counts
    bool is_inferred = false;             // only a member's name says that it is the count
};

struct block_kinds {
    std::vector<block_kind> all;
    std::unordered_map<std::uint64_t, std::uint32_t> by_word;  // the block's first word
    std::vector<std::uint32_t> by_handles;                     // kinds that no word tells
    std::vector<std::uint32_t> self_counted;                   // likewise, see self_counted.hpp
    std::shared_ptr<linked_rings> rings;                       // of the kinds without counts
    std::uint64_t least = UINT64_MAX;                          // of these words
    std::uint64_t most = 0;
    std::set<std::string> not_understood;  // handles of the program whose blocks nothing identifies
};

/// `known` must outlive the result.
block_kinds find_block_kinds(const program_modules& modules, type_layouts& types,
                             const std::vector<known_handle>& known);

}  // namespace freehold
