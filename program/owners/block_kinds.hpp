// SPDX-License-Identifier: BSL-1.0
// Which words in memory begin a block of counts, by the symbols of a program.
#pragma once

#include "code/known_handles.hpp"
#include "owners/modules.hpp"

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace freehold {

struct block_kind {
    const known_handle* handle = nullptr;
    const known_blocks::block_class* is = nullptr;
    std::string type;            // of the object
    std::uint64_t function = 0;  // a member function of the block's class; 0 if unknown
};

struct block_kinds {
    std::vector<block_kind> all;
    std::unordered_map<std::uint64_t, std::uint32_t> by_word;  // the block's first word
    std::uint64_t least = UINT64_MAX;                          // of these words
    std::uint64_t most = 0;
};

/// `known` must outlive the result.
block_kinds find_block_kinds(const program_modules& modules,
                             const std::vector<known_handle>& known);

}  // namespace freehold
