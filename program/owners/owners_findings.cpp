// SPDX-License-Identifier: BSL-1.0
#include "owners/owners_findings.hpp"

#include "owners/root_paths.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

namespace freehold {
namespace {

/// Finds who holds some blocks, and a way to one of them.
class holder_finder {
public:
    holder_finder(const owner_graph& graph, const program_modules& modules,
                  const std::vector<held_by>& ways, const std::set<std::uint32_t>& blocks)
        : graph_(graph), blocks_(blocks), paths_(graph, modules, ways) {}

    object_holders find() {
        object_holders result;
        result.objects = blocks_.size();
        const auto look = [this](std::uint32_t node) {
            return [this, node](const found_word& word, bool = false) {
                if (word.block != no_number && blocks_.count(word.block) != 0)
                    words_.push_back({word, node});
            };
        };
        for (std::uint32_t node = 0; node != graph_.nodes(); ++node)
            if (!graph_.is_part(node)) graph_.for_each_word_of(node, look(node));
        graph_.for_each_root_word(look(no_number));
        std::map<std::uint32_t, std::uint64_t> words_of;
        for (const auto& [word, node] : words_) ++words_of[word.block];
        std::map<std::string, object_holders::holder> found;
        for (const auto& [word, node] : words_) {
            if (word.meaning == word_meaning::unknown && !graph_.is_owner(word)) continue;
            const bool is_doubtful =
                words_of[word.block] > graph_.owners_of(word.block) + graph_.weak_of(word.block);
            const std::string what = paths_.text_of_place(word, node, is_doubtful);
            object_holders::holder& holder = found[what];
            holder.what = what;
            ++(word.meaning == word_meaning::weak ? holder.weak : holder.owners);
        }
        for (const auto& [what, holder] : found) result.holders.push_back(holder);
        std::stable_sort(
            result.holders.begin(), result.holders.end(),
            [](const auto& a, const auto& b) { return a.owners + a.weak > b.owners + b.weak; });
        paths_.reach([this, &result](std::uint32_t node) {
            if (blocks_.count(node) == 0) return false;
            result.path = paths_.path_to(node);
            return true;
        });
        return result;
    }

private:
    const owner_graph& graph_;
    const std::set<std::uint32_t>& blocks_;
    root_paths paths_;
    std::vector<std::pair<found_word, std::uint32_t>> words_;  // and the nodes in which they are
};

}  // namespace

std::vector<owned_type> types_in(const owner_graph& graph) {
    std::map<std::string, owned_type> found;
    std::map<std::string, std::uint64_t> leaked_bytes;
    std::unordered_map<const block_kind*, std::pair<owned_type*, std::uint64_t*>> of_kind;
    graph.for_each_block([&](std::uint32_t block) {
        const block_kind& kind = graph.kind_of(block);
        auto& [type, bytes_of_type] = of_kind[&kind];
        if (type == nullptr) {
            type = &found[kind.type];
            type->type = kind.type;
            bytes_of_type = &leaked_bytes[kind.type];
        }
        const std::uint64_t bytes = graph.bytes_of(block);
        ++type->alive;
        type->bytes += bytes;
        type->owners += graph.owners_of(block);
        type->weak += graph.weak_of(block);
        const fate ends = graph.fate_of(block);
        ++(ends == fate::reachable ? type->reachable
           : ends == fate::leaked  ? type->leaked
                                   : type->lost);
        if (ends != fate::reachable) *bytes_of_type += bytes;
    });
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

void add_paths(std::vector<owned_type>& types, std::size_t most, const owner_graph& graph,
               const program_modules& modules, const std::vector<held_by>& ways) {
    std::map<std::string, owned_type*> missing;
    for (std::size_t i = 0; i != std::min(most, types.size()); ++i)
        if (types[i].reachable != 0) missing[types[i].type] = &types[i];
    std::set<const block_kind*> known;
    root_paths paths(graph, modules, ways);
    paths.reach([&](std::uint32_t node) {
        if (graph.is_block(node) && known.insert(&graph.kind_of(node)).second)
            if (const auto found = missing.find(graph.kind_of(node).type); found != missing.end()) {
                found->second->path = paths.path_to(node);
                missing.erase(found);
            }
        return missing.empty();
    });
}

object_holders holders_of(const std::string& of, const owner_graph& graph,
                          const program_modules& modules, const std::vector<held_by>& ways) {
    std::uint64_t address = 0;
    const bool is_hexadecimal = of.starts_with("0x");
    const char* const begin = of.data() + (is_hexadecimal ? 2 : 0);
    const auto parsed =
        std::from_chars(begin, of.data() + of.size(), address, is_hexadecimal ? 16 : 10);
    const bool is_address = parsed.ec == std::errc() && parsed.ptr == of.data() + of.size();
    std::set<std::uint32_t> blocks;
    graph.for_each_block([&](std::uint32_t block) {
        if (is_address ? graph.address_of(block) == address || graph.object_of(block) == address
                       : graph.kind_of(block).type == of)
            blocks.insert(block);
    });
    if (!blocks.empty()) return holder_finder(graph, modules, ways, blocks).find();
    throw owners_error(
        is_address ? fmt::format("{}: no object that known handles own is at this address", of)
                   : fmt::format("{}: no object of this type is alive; without --who, all types "
                                 "are listed",
                                 of));
}

}  // namespace freehold
