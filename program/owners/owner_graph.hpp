// SPDX-License-Identifier: BSL-1.0
// Who owns whom in a program's memory, and which objects are kept alive only by one another.
//
// A block is leaked if all of its owners, as many as its count says, are handles inside blocks that
// are leaked or lost. It is lost if its count has more owners than there are handles. These are the
// greatest such sets: all blocks are taken to be leaked at first, and those that something else
// holds are taken out, with what they hold, until nothing changes.
//
// A word that equals a block's address need not be a handle: it may be left over on a stack or in
// memory that is not in use. So a word counts for certain only where debug information says that a
// handle is. If the certain owners are as many as the count says, other words mean nothing. If not,
// a word outside of what leaks makes the block reachable: no leak is claimed that may be none.
//
// The memory itself is the graph. Its edges are read from it whenever they are needed, and only a
// few bytes are kept for each chunk of the heap, and two bits for each word.
#pragma once

#include "owners/block_counts.hpp"
#include "owners/block_kinds.hpp"
#include "owners/glibc_heap.hpp"
#include "owners/memory_image.hpp"
#include "owners/node_tables.hpp"
#include "owners/object_walker.hpp"
#include "owners/word_meanings.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace freehold {

/// A word that points to a block, or to a chunk of the heap that belongs to no block.
struct found_word {
    std::uint64_t address = 0;                     // or, in registers, one of `register_addresses`
    std::uint32_t block = no_number;               // the node to which it is a handle, perhaps
    std::uint32_t chunk = no_number;               // the node to which it is a pointer
    word_meaning meaning = word_meaning::unknown;  // if it is a handle
};

enum class fate : std::uint8_t { reachable, leaked, lost };

/// Nodes are the chunks of the heap by their numbers, and behind them the blocks elsewhere. A chunk
/// that belongs to an object alone, as a vector's storage, is a part of the object's node.
class owner_graph {
public:
    std::vector<std::string> incomplete;

    [[nodiscard]] std::uint32_t nodes() const {
        return static_cast<std::uint32_t>(kinds_of_.size());
    }
    /// Calls `use(node)` for each block.
    template <class Use>
    void for_each_block(Use use) const {
        for (std::uint32_t node = 0; node != nodes(); ++node)
            if (is_block(node)) use(node);
    }
    [[nodiscard]] bool is_block(std::uint32_t node) const { return kinds_of_.has(node); }
    [[nodiscard]] bool is_reachable(std::uint32_t node) const { return is_reachable_[node]; }
    /// Whether it is a part of another node.
    [[nodiscard]] bool is_part(std::uint32_t node) const {
        return node < parts_.chunks() && parts_.is_part(node);
    }

    // Of a block:
    [[nodiscard]] const block_kind& kind_of(std::uint32_t block) const {
        return kinds_->all[kinds_of_[block]];
    }
    [[nodiscard]] std::uint64_t address_of(std::uint32_t block) const;
    /// Returns 0 if it is unknown.
    [[nodiscard]] std::uint64_t object_of(std::uint32_t block) const {
        return object_at(address_of(block), kinds_of_[block]);
    }
    [[nodiscard]] std::uint64_t owners_of(std::uint32_t block) const {
        // The handles are all that is known of owners that are counted elsewhere, too.
        return is_counted_apart(block) ? std::max<std::uint64_t>(certain_[block], 1)
                                       : owners_at(*image_, address_of(block), kind_of(block));
    }
    [[nodiscard]] bool is_counted_apart(std::uint32_t block) const {
        return freehold::is_counted_apart(*image_, address_of(block), kind_of(block));
    }
    [[nodiscard]] std::uint64_t weak_of(std::uint32_t block) const {
        return weak_at(*image_, address_of(block), kind_of(block));
    }
    /// Of the memory of the block and of the object.
    [[nodiscard]] std::uint64_t bytes_of(std::uint32_t block) const;
    [[nodiscard]] fate fate_of(std::uint32_t block) const;
    /// Whether the words in what leaks are no more than the owners, so that each is one.
    [[nodiscard]] bool is_clear(std::uint32_t block) const;
    /// Returns the object's type, or one with a null `addr`.
    [[nodiscard]] Dwarf_Die type_of(std::uint32_t block) const {
        return facts_[kinds_of_[block]].object;
    }
    /// Returns what debug information says of the object, with ways.
    [[nodiscard]] object_content content_of(std::uint32_t block) const;
    /// Returns the way from the object to the handle at an address in it, or no_number.
    [[nodiscard]] std::uint32_t way_from(std::uint32_t block, std::uint64_t word) const;

    /// Of a node that is a chunk of the heap.
    [[nodiscard]] heap_chunk chunk(std::uint32_t node) const { return heap_->chunks[node]; }
    /// Returns what the word at an address points to.
    [[nodiscard]] found_word word_at(std::uint64_t address) const {
        return look_at(address, image_->word_or_zero(address));
    }
    /// Of all memory of a node.
    [[nodiscard]] std::uint64_t memory_of(std::uint32_t node) const;
    /// Whether this word is taken for an owner of its block.
    [[nodiscard]] bool is_owner(const found_word& word) const {
        if (word.meaning != word_meaning::unknown) return word.meaning == word_meaning::owner;
        return certain_[word.block] < owners_of(word.block);
    }

    /// Calls `use(found_word)` for each word in a node that points to a block or a chunk.
    template <class Use>
    void for_each_word_of(std::uint32_t node, Use use) const {
        const auto look = [&](std::uint64_t address, std::uint64_t word) {
            const found_word found = look_at(address, word);
            if (found.block == no_number && (found.chunk == no_number || found.chunk == node))
                return;
            if (!pieces_.empty() && node_at(address) != node) return;
            use(found);
        };
        for_each_part(node, [&](const memory_range& part) { image_->for_each_word(part, look); });
    }
    /// Calls `use(found_word, is_on_stack)` for each word that points to a block or a chunk, in
    /// memory that is no node's: variables, stacks and registers.
    template <class Use>
    void for_each_root_word(Use use) const {
        for_each_word_outside([&](std::uint64_t address, std::uint64_t word, bool is_on_stack) {
            const found_word found = look_at(address, word);
            if (found.block != no_number || found.chunk != no_number) use(found, is_on_stack);
        });
    }

    [[nodiscard]] const memory_image& image() const { return *image_; }

private:
    friend class graph_builder;

    /// What is known of the blocks of one kind.
    struct kind_facts {
        Dwarf_Die object{};
        std::uint64_t offset = 0;  // of the object or of the pointer to it
        std::uint64_t bytes = 0;   // of the block
        bool has_offset = false;
        bool is_known = false;
    };
    // Memory of blocks within a chunk, or outside of the heap, as of pools. Sorted.
    struct piece {
        std::uint64_t begin;
        std::uint64_t end;
        std::uint16_t kind;
    };

    [[nodiscard]] std::uint64_t object_at(std::uint64_t block, std::uint32_t kind) const;
    void add_content_of(std::uint32_t block, object_content& result) const;
    [[nodiscard]] found_word look_at(std::uint64_t address, std::uint64_t word) const;
    /// Returns the block elsewhere to which a handle with this value would point, or no_number.
    [[nodiscard]] std::uint32_t piece_from(std::uint64_t address) const;
    [[nodiscard]] std::uint32_t node_at(std::uint64_t address) const;
    /// Whether a handle to a block of this kind may have this value. One to an object that counts
    /// its own owners may point to any of its bases.
    [[nodiscard]] bool may_be_handle(std::uint64_t value, std::uint64_t block,
                                     std::uint32_t kind) const {
        const block_kind& of = kinds_->all[kind];
        if (of.is->is_base) return block <= value && value < block + facts_[kind].bytes;
        const std::uint64_t counts = block + of.count_at;
        return counts + of.pointed_at == value || (of.is->by_counts && counts == value);
    }

    template <class Use>
    void for_each_part(std::uint32_t node, Use use) const {
        const auto use_chunk = [&](std::uint32_t number) {
            const heap_chunk chunk = heap_->chunks[number];
            use(memory_range{chunk.begin, chunk.end});
        };
        if (node >= parts_.chunks()) {
            const piece& found = pieces_[node - parts_.chunks()];
            use(memory_range{found.begin, found.end});
        } else {
            use_chunk(node);
        }
        parts_.for_each_of(node, use_chunk);
    }
    /// Calls `use(address, word, is_on_stack)`.
    template <class Use>
    void for_each_word_outside(Use use) const {
        const auto read = [&](const std::vector<memory_range>& ranges, bool is_on_stack) {
            for (const memory_range& each : ranges)
                image_->for_each_word(each, [&](std::uint64_t address, std::uint64_t word) {
                    if (pieces_.empty() || range_around(address, pieces_) == nullptr)
                        use(address, word, is_on_stack);
                });
        };
        read(roots_, false);
        for (const std::uint64_t word : image_->held_by_system)
            use(register_addresses - bytes_of_word, word, false);
        read(stacks_, true);
        for (std::size_t i = 0; i != image_->threads.size(); ++i)
            for (std::size_t k = 0; k != image_->threads[i].values.size(); ++k)
                if (const std::uint64_t word = image_->threads[i].values[k]; word != 0)
                    use(register_addresses + (i * registers_of_thread + k) * bytes_of_word, word,
                        true);
    }

    const memory_image* image_ = nullptr;
    const glibc_heap* heap_ = nullptr;
    const block_kinds* kinds_ = nullptr;
    object_walker* walker_ = nullptr;
    std::vector<kind_facts> facts_;  // of each kind

    node_kinds kinds_of_;
    chunk_parts parts_;
    std::vector<bool> is_reachable_;  // of each node
    std::vector<piece> pieces_;
    std::uint64_t largest_piece_ = 0;
    small_counts certain_;  // of each node: certain owners
    small_counts unknown_;  // of each node: words that may be owners, without those on stacks
    word_meanings meanings_;
    // Memory in which all that is held is reachable.
    std::vector<memory_range> roots_;
    std::vector<memory_range> stacks_;

    owner_graph(const memory_image& image, const glibc_heap& heap, const block_kinds& kinds,
                object_walker& walker)
        : image_(&image), heap_(&heap), kinds_(&kinds), walker_(&walker), meanings_(image) {}
};

/// All arguments must outlive the result. Kinds of blocks are added that may have one of several
/// types.
owner_graph find_owners(const memory_image& image, const glibc_heap& heap, block_kinds& kinds,
                        const program_modules& modules, type_layouts& types, object_walker& walker);

}  // namespace freehold
