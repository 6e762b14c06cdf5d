// SPDX-License-Identifier: BSL-1.0
#include "owners/ways_by_pointers.hpp"

#include <utility>

namespace freehold {
namespace {

void add_name(const std::string& name, held_by& way) {
    if (!way.member.empty() && !name.empty()) way.member += ".";
    way.member += name;
}

}  // namespace

std::optional<held_by> way_by_pointers(const owner_graph& graph, object_walker& walker,
                                       type_layouts& types, std::uint32_t from,
                                       const std::vector<std::uint32_t>& chunks, std::uint32_t to) {
    held_by result;
    result.type = graph.kind_of(from).type;
    Dwarf_Die type = graph.type_of(from);
    std::uint64_t object = graph.object_of(from);
    std::uint32_t node = from;
    for (const std::uint32_t next : chunks) {
        const heap_chunk chunk = graph.chunk(next);
        const std::uint64_t size = types.size_of(type);
        std::optional<type_layouts::pointer_member> member;
        graph.for_each_word_of(node, [&](const found_word& word) {
            if (!member && word.chunk == next && word.address - object < size &&
                graph.image().word_or_zero(word.address) == chunk.begin)
                member = types.pointer_at(type, word.address - object);
        });
        if (!member || !is_for(chunk, types.size_of(member->pointee))) break;
        if (node == from) {
            result.line = member->line;
            result.file = member->file;
        }
        add_name(member->name, result);
        type = member->pointee;
        object = chunk.begin;
        node = next;
        object_content content;
        content.wants_ways = true;
        walker.add_content(type, result.type, object, content);
        for (const auto& each : content.handles) {
            if (each.is_weak || graph.word_at(each.word).block != to) continue;
            const held_by& rest = walker.ways()[each.way];
            add_name(rest.member, result);
            result.in_container = rest.in_container;
            result.closure = rest.closure;
            return result;
        }
    }
    if (node == from) return std::nullopt;
    return result;
}

}  // namespace freehold
