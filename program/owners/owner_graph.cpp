// SPDX-License-Identifier: BSL-1.0
#include "owners/owner_graph.hpp"

#include <algorithm>

namespace freehold {

std::uint64_t owner_graph::address_of(std::uint32_t block) const {
    return block < parts_.chunks() ? heap_->chunks[block].begin
                                   : pieces_[block - parts_.chunks()].begin;
}

std::uint64_t owner_graph::object_at(std::uint64_t block, std::uint32_t kind) const {
    const kind_facts& facts = facts_[kind];
    if (!facts.has_offset) return 0;
    const std::uint64_t place = block + facts.offset;
    return kinds_->all[kind].is->by_pointer ? image_->word_or_zero(place) : place;
}

std::uint64_t owner_graph::bytes_of(std::uint32_t block) const {
    std::uint64_t result =
        block < parts_.chunks() ? heap_->chunks[block].size() : facts_[kinds_of_[block]].bytes;
    if (!kind_of(block).is->by_pointer) return result;
    const heap_chunk object = heap_->chunks.from(object_of(block));
    if (object && parts_.node_of(object.number) == block) result += object.size();
    return result;
}

fate owner_graph::fate_of(std::uint32_t block) const {
    if (is_reachable_[block]) return fate::reachable;
    return certain_[block] + unknown_[block] >= owners_of(block) ? fate::leaked : fate::lost;
}

bool owner_graph::is_clear(std::uint32_t block) const {
    // A block that is alive has an owner at least.
    if (certain_[block] + unknown_[block] <= 1) return true;
    const std::uint64_t owners = owners_of(block);
    return certain_[block] == owners || certain_[block] + unknown_[block] <= owners;
}

void owner_graph::add_content_of(std::uint32_t block, object_content& result) const {
    const block_kind& kind = kind_of(block);
    const std::uint64_t object = object_of(block);
    const Dwarf_Die type = type_of(block);
    if (type.addr != nullptr && object != 0 && (!kind.is->by_pointer || kind.is->owns_object))
        walker_->add_content_of(kind, type, address_of(block), object, result);
}

object_content owner_graph::content_of(std::uint32_t block) const {
    object_content result;
    result.wants_ways = true;
    add_content_of(block, result);
    std::sort(result.handles.begin(), result.handles.end(),
              [](const auto& a, const auto& b) { return a.word < b.word; });
    return result;
}

std::uint32_t owner_graph::way_from(std::uint32_t block, std::uint64_t word) const {
    object_content found;
    found.wants_ways = true;
    found.only_word = word;
    add_content_of(block, found);
    return found.handles.empty() ? no_number : found.handles.front().way;
}

std::uint64_t owner_graph::memory_of(std::uint32_t node) const {
    std::uint64_t result = 0;
    for_each_part(node, [&result](const memory_range& part) { result += part.end - part.begin; });
    return result;
}

std::uint32_t owner_graph::piece_from(std::uint64_t address) const {
    auto at =
        std::upper_bound(pieces_.begin(), pieces_.end(), address,
                         [](std::uint64_t value, const piece& each) { return value < each.begin; });
    while (at != pieces_.begin() && (--at)->begin + largest_piece_ >= address)
        if (may_be_handle(address, at->begin, at->kind))
            return static_cast<std::uint32_t>(parts_.chunks() +
                                              static_cast<std::size_t>(at - pieces_.begin()));
    return no_number;
}

found_word owner_graph::look_at(std::uint64_t address, std::uint64_t word) const {
    found_word result;
    result.address = address;
    const std::uint64_t pointer = word & address_bits;
    if (const heap_chunk chunk = heap_->chunks.around(pointer)) {
        if (!is_block(chunk.number)) {
            if (!is_part(chunk.number)) result.chunk = chunk.number;
        } else if (may_be_handle(pointer, chunk.begin, kinds_of_[chunk.number])) {
            result.block = chunk.number;
        }
    }
    if (result.block == no_number && !pieces_.empty()) result.block = piece_from(pointer);
    if (result.block == no_number) return result;
    result.meaning = meanings_.of(address);
    if (result.meaning == word_meaning::left_over) result.block = no_number;
    // A handle has no marks.
    if (pointer != word) result.meaning = word_meaning::unknown;
    return result;
}

std::uint32_t owner_graph::node_at(std::uint64_t address) const {
    if (const piece* const around = range_around(address, pieces_))
        return static_cast<std::uint32_t>(parts_.chunks() +
                                          static_cast<std::size_t>(around - pieces_.data()));
    const heap_chunk chunk = heap_->chunks.around(address);
    return chunk ? parts_.node_of(chunk.number) : no_number;
}

}  // namespace freehold
