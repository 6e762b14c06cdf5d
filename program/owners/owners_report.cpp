// SPDX-License-Identifier: BSL-1.0
#include "owners/owners_report.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>

#include <fmt/format.h>

namespace freehold {
namespace {

/// Finds who holds an object, and ways to it.
class holder_finder {
public:
    holder_finder(const owner_graph& graph, const block_kinds& kinds,
                  const program_modules& modules, const std::vector<held_by>& ways)
        : graph_(graph), kinds_(kinds), modules_(modules), ways_(ways) {}

    object_holders find(const std::set<std::uint32_t>& blocks) {
        object_holders result;
        result.objects = blocks.size();
        std::map<std::string, object_holders::holder> found;
        for (const std::uint32_t block : blocks)
            for (std::size_t i = graph_.words_of[block]; i != graph_.words_of[block + 1]; ++i) {
                const handle_word& word = graph_.words[i];
                if (word.meaning == word_meaning::unknown && !graph_.is_owner(word)) continue;
                const std::string what = text_of_place(word);
                object_holders::holder& holder = found[what];
                holder.what = what;
                ++(word.meaning == word_meaning::weak ? holder.weak : holder.owners);
            }
        for (const auto& [what, holder] : found) result.holders.push_back(holder);
        std::stable_sort(
            result.holders.begin(), result.holders.end(),
            [](const auto& a, const auto& b) { return a.owners + a.weak > b.owners + b.weak; });
        result.path = path_to(blocks);
        return result;
    }

private:
    [[nodiscard]] std::string text_of_block(std::uint32_t block) const {
        return fmt::format("{} at {:#x}", kinds_.all[graph_.blocks[block].kind].type,
                           graph_.blocks[block].object);
    }

    [[nodiscard]] std::string text_of_root(std::uint64_t address) const {
        if (address >= register_addresses) {
            const std::uint64_t thread = (address - register_addresses) / 8 / 32;
            return fmt::format("a register of thread {}", graph_.image->threads[thread].id);
        }
        const memory_segment* const segment = graph_.image->find(address);
        for (const thread_registers& each : graph_.image->threads)
            if (segment != nullptr && !segment->is_of_a_file &&
                segment == graph_.image->find(each.stack_pointer()))
                return fmt::format("the stack of thread {}", each.id);
        const std::string symbol = modules_.symbol_at(address);
        if (!symbol.empty()) return symbol;
        const std::string file = modules_.file_at(address);
        if (!file.empty()) return fmt::format("a variable of {}", file);
        return fmt::format("memory outside of the heap at {:#x}", address & ~std::uint64_t{4095});
    }

    [[nodiscard]] std::string text_of_place(const handle_word& word) const {
        const std::size_t words = graph_.words_of[word.block + 1] - graph_.words_of[word.block];
        const owned_block& block = graph_.blocks[word.block];
        const std::string doubt = words > block.owners + block.weak ? " (perhaps left over)" : "";
        if (word.way != no_number) return text_of(ways_[word.way]);
        if (word.node == no_number) return text_of_root(word.address) + doubt;
        if (word.node < graph_.blocks.size())
            return fmt::format("{} at offset {}", kinds_.all[graph_.blocks[word.node].kind].type,
                               word.address - graph_.blocks[word.node].object);
        return "memory of the heap that no known object has alone";
    }

    /// Returns the shortest way from a root to one of the blocks.
    std::vector<std::string> path_to(const std::set<std::uint32_t>& blocks) {
        struct origin {
            std::uint32_t from = no_number;
            std::string what;
            bool is_known = false;
        };
        std::vector<origin> origins(graph_.nodes());
        std::vector<std::uint32_t> seen;
        const auto reach = [&](std::uint32_t node, std::uint32_t from, const auto& what) {
            if (graph_.is_live[node] == 0 || origins[node].is_known) return;
            origins[node] = {from, what(), true};
            seen.push_back(node);
        };
        for (const handle_word& word : graph_.words)
            if (word.node == no_number && word.meaning != word_meaning::weak &&
                graph_.is_owner(word))
                reach(word.block, no_number, [&] { return text_of_root(word.address); });
        const auto use = [&](std::uint64_t address, std::uint64_t word) {
            const std::int64_t chunk = graph_.heap->chunk_at(word);
            if (chunk < 0) return;
            const std::uint32_t node = graph_.node_of_chunk[static_cast<std::size_t>(chunk)];
            if (node >= graph_.blocks.size())
                reach(node, no_number, [&] { return text_of_root(address); });
        };
        for (const memory_range& each : graph_.roots) for_each_word(*graph_.image, each, use);
        for (std::size_t i = 0; i <= seen.size(); ++i) {
            if (i == seen.size()) {
                // What is reachable and was not reached is held by memory to which nothing leads.
                for (auto chunk = static_cast<std::uint32_t>(graph_.blocks.size());
                     chunk != graph_.nodes(); ++chunk)
                    reach(chunk, no_number,
                          [] { return "memory of the heap that only the system may know"; });
                if (i == seen.size()) break;
            }
            const std::uint32_t node = seen[i];
            if (node < graph_.blocks.size() && blocks.count(node) != 0) {
                std::vector<std::string> result = {text_of_block(node)};
                std::uint32_t at = node;
                while (true) {
                    result.push_back(origins[at].what);
                    if (origins[at].from == no_number) break;
                    at = origins[at].from;
                }
                std::reverse(result.begin(), result.end());
                return result;
            }
            const owner_graph::held holds = graph_.held_by_node(node);
            for (const std::uint32_t number : holds.words) {
                const handle_word& word = graph_.words[number];
                if (word.meaning != word_meaning::weak && graph_.is_owner(word))
                    reach(word.block, node, [&] { return text_of_place(word); });
            }
            for (const std::uint32_t to : holds.nodes)
                reach(to, node, [&] {
                    return node < graph_.blocks.size() ? text_of_block(node)
                                                       : std::string("memory of the heap");
                });
        }
        return {};
    }

    const owner_graph& graph_;
    const block_kinds& kinds_;
    const program_modules& modules_;
    const std::vector<held_by>& ways_;
};

}  // namespace

std::string text_of(const held_by& way) {
    const std::string place =
        way.member.empty() ? way.type : fmt::format("{}::{}", way.type, way.member);
    return way.closure.empty() ? place : fmt::format("{} (captured by {})", place, way.closure);
}

std::vector<owned_type> types_in(const owner_graph& graph, const block_kinds& kinds) {
    std::map<std::string, owned_type> found;
    std::map<std::string, std::uint64_t> leaked_bytes;
    for (std::size_t i = 0; i != graph.blocks.size(); ++i) {
        const owned_block& block = graph.blocks[i];
        owned_type& type = found[kinds.all[block.kind].type];
        type.type = kinds.all[block.kind].type;
        ++type.alive;
        type.bytes += block.bytes;
        type.owners += block.owners;
        type.weak += block.weak;
        switch (graph.fates[i]) {
            case fate::reachable:
                ++type.reachable;
                break;
            case fate::leaked:
                ++type.leaked;
                break;
            case fate::lost:
                ++type.lost;
                break;
        }
        if (graph.fates[i] != fate::reachable) leaked_bytes[type.type] += block.bytes;
    }
    std::vector<owned_type> result;
    for (const auto& [name, type] : found) result.push_back(type);
    std::stable_sort(result.begin(), result.end(),
                     [&leaked_bytes](const owned_type& a, const owned_type& b) {
                         const std::uint64_t first = leaked_bytes[a.type];
                         const std::uint64_t second = leaked_bytes[b.type];
                         return first != second ? first > second : a.bytes > b.bytes;
                     });
    return result;
}

object_holders holders_of(const std::string& of, const owner_graph& graph, const block_kinds& kinds,
                          const program_modules& modules, const std::vector<held_by>& ways) {
    std::uint64_t address = 0;
    const bool is_hexadecimal = of.starts_with("0x");
    const char* const begin = of.data() + (is_hexadecimal ? 2 : 0);
    const auto parsed =
        std::from_chars(begin, of.data() + of.size(), address, is_hexadecimal ? 16 : 10);
    const bool is_address = parsed.ec == std::errc() && parsed.ptr == of.data() + of.size();
    std::set<std::uint32_t> blocks;
    for (std::uint32_t i = 0; i != graph.blocks.size(); ++i) {
        const owned_block& block = graph.blocks[i];
        if (is_address ? block.address == address || block.object == address
                       : kinds.all[block.kind].type == of)
            blocks.insert(i);
    }
    if (!blocks.empty()) return holder_finder(graph, kinds, modules, ways).find(blocks);
    throw owners_error(
        is_address ? fmt::format("{}: no object that known handles own is at this address", of)
                   : fmt::format("{}: no object of this type is alive; without --who, all types "
                                 "are listed",
                                 of));
}

}  // namespace freehold
