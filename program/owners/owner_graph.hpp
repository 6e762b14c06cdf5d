// SPDX-License-Identifier: BSL-1.0
// Who owns whom in a program's memory, and which objects only one another keep alive.
//
// A block is leaked if all of its owners, as many as its count says, are handles inside what is
// leaked itself. This is the greatest such set: all blocks are taken to be leaked at first, and
// those that something else holds are taken out, with what they hold, until nothing changes.
//
// A word that equals a block's address need not be a handle: it may be left over on a stack or in
// memory that is not in use. So a word counts for certain only where debug information says that a
// handle is. If the certain owners are as many as the count says, other words mean nothing. If not,
// a word outside of what leaks makes the block reachable: no leak is claimed that may be none.
#pragma once

#include "owners/block_kinds.hpp"
#include "owners/glibc_heap.hpp"
#include "owners/memory_image.hpp"
#include "owners/type_layouts.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace freehold {

constexpr std::uint32_t no_number = UINT32_MAX;

struct owned_block {
    std::uint64_t address = 0;
    std::uint64_t object = 0;  // 0 if unknown
    std::uint64_t bytes = 0;   // of the memory of the block and of the object
    std::uint32_t kind = 0;
    std::uint64_t owners = 0;
    std::uint64_t weak = 0;
};

enum class word_meaning : std::uint8_t { owner, weak, unknown };

/// A word that points to a block.
struct handle_word {
    std::uint64_t address = 0;       // or, in registers, one of `register_addresses`
    std::uint32_t block = 0;         // to which it points
    std::uint32_t node = no_number;  // that it lies in; none in roots
    std::uint32_t way = no_number;   // in type_layouts::ways
    word_meaning meaning = word_meaning::unknown;
};

/// The first of the addresses that stand for registers: 32 of them for each thread.
constexpr std::uint64_t register_addresses = std::uint64_t{0xffff} << 48;

enum class fate : std::uint8_t { reachable, leaked, lost };

/// Nodes are the blocks, and behind them the chunks of the heap that belong to no block.
class owner_graph {
public:
    std::vector<owned_block> blocks;
    std::vector<fate> fates;            // of each block
    std::vector<handle_word> words;     // sorted by block
    std::vector<std::size_t> words_of;  // of block b: from words_of[b] to words_of[b + 1]
    std::vector<std::uint8_t> is_live;  // of each node
    std::vector<std::uint32_t> node_of_chunk;
    std::vector<std::uint64_t> retained_alone;  // of each node: bytes of all its memory
    std::vector<std::string> incomplete;

    [[nodiscard]] std::size_t nodes() const { return is_live.size(); }
    /// Returns the handles that a node holds, and the chunks to which it points that belong to no
    /// block, by their nodes.
    struct held {
        std::vector<std::uint32_t> words;  // numbers in `words`
        std::vector<std::uint32_t> nodes;
    };
    [[nodiscard]] held held_by_node(std::uint32_t node) const;
    [[nodiscard]] std::vector<std::uint32_t> nodes_held_by(std::uint32_t node) const;
    /// Whether this word is taken for an owner of its block.
    [[nodiscard]] bool is_owner(const handle_word& word) const;

    const memory_image* image = nullptr;
    const glibc_heap* heap = nullptr;

    // Of each node: its chunks, from first_chunk[n] to first_chunk[n + 1] in node_chunks.
    std::vector<std::size_t> first_chunk;
    std::vector<std::uint32_t> node_chunks;
    // Of each node: its words, likewise.
    std::vector<std::size_t> first_word;
    std::vector<std::uint32_t> node_words;
    // Memory of blocks within a chunk, or outside of the heap, as of pools. Sorted.
    struct piece {
        std::uint64_t begin;
        std::uint64_t end;
        std::uint32_t node;
    };
    std::vector<piece> pieces;
    // Of each block: certain owners, and all words that may be owners.
    std::vector<std::uint32_t> certain_owners;
    std::vector<memory_range> roots;  // memory in which all that is held is reachable
};

/// All arguments must outlive the result.
owner_graph find_owners(const memory_image& image, const glibc_heap& heap, const block_kinds& kinds,
                        const program_modules& modules, type_layouts& types);

}  // namespace freehold
