// SPDX-License-Identifier: BSL-1.0
#include "owners/owners_findings.hpp"

#include "owners/stack_frames.hpp"

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
        : graph_(graph),
          modules_(modules),
          ways_(ways),
          blocks_(blocks),
          stacks_(graph.image(), modules) {}

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
            const std::string what = text_of_place(word, node, is_doubtful);
            object_holders::holder& holder = found[what];
            holder.what = what;
            ++(word.meaning == word_meaning::weak ? holder.weak : holder.owners);
        }
        for (const auto& [what, holder] : found) result.holders.push_back(holder);
        std::stable_sort(
            result.holders.begin(), result.holders.end(),
            [](const auto& a, const auto& b) { return a.owners + a.weak > b.owners + b.weak; });
        result.path = path();
        return result;
    }

private:
    [[nodiscard]] std::string text_of_block(std::uint32_t block) const {
        return fmt::format("{} at {:#x}", graph_.kind_of(block).type, graph_.object_of(block));
    }

    [[nodiscard]] std::string text_of_root(std::uint64_t address) const {
        const memory_image& image = graph_.image();
        if (address >= register_addresses) {
            const std::uint64_t thread = (address - register_addresses) / bytes_of_word / 32;
            return fmt::format("a register of thread {}", image.threads[thread].id);
        }
        if (address == register_addresses - bytes_of_word) return "the system, as by epoll";
        const memory_segment* const segment = image.find(address);
        for (const thread_registers& each : image.threads)
            if (segment != nullptr && !segment->is_of_a_file &&
                segment->begin <= each.stack_pointer() && each.stack_pointer() < segment->end) {
                const auto [function, variable] = stacks_.place_at(address);
                if (!variable.empty()) return fmt::format("{} in {}", variable, function);
                return fmt::format("the stack of thread {}{}", each.id,
                                   function.empty() ? "" : ", in " + function);
            }
        const std::string symbol = modules_.symbol_at(address);
        if (!symbol.empty()) return symbol;
        const std::string file = modules_.file_at(address);
        if (!file.empty()) return fmt::format("a variable of {}", file);
        return fmt::format("memory outside of the heap at {:#x}", address & ~(bytes_of_page - 1));
    }

    /// Words of one node come one after the other.
    [[nodiscard]] std::string text_of_place(const found_word& word, std::uint32_t node,
                                            bool is_doubtful) {
        const std::string doubt = is_doubtful ? " (perhaps left over)" : "";
        if (node == no_number) return text_of_root(word.address) + doubt;
        if (!graph_.is_block(node)) return "memory of the heap that no known object has alone";
        if (word.meaning != word_meaning::unknown) {
            if (node != content_of_) content_ = graph_.content_of(content_of_ = node);
            const std::uint32_t way = content_.way_of(word.address);
            if (way != no_number) return text_of(ways_[way]);
        }
        return fmt::format("{} at offset {}", graph_.kind_of(node).type,
                           word.address - graph_.object_of(node));
    }

    /// Returns the shortest way from a root to one of the blocks.
    std::vector<std::string> path() {
        struct origin {
            std::uint32_t from = no_number;
            std::uint64_t address = 0;  // of the word that leads here; 0 if none does
        };
        std::vector<origin> origins(graph_.nodes());
        std::vector<bool> is_known(graph_.nodes(), false);
        std::vector<std::uint32_t> seen;
        const auto reach = [&](std::uint32_t node, std::uint32_t from, std::uint64_t address) {
            if (!graph_.is_reachable(node) || is_known[node]) return;
            is_known[node] = true;
            origins[node] = {from, address};
            seen.push_back(node);
        };
        const auto follow = [&](const found_word& word, std::uint32_t from) {
            if (word.block != no_number && word.meaning != word_meaning::weak &&
                graph_.is_owner(word))
                reach(word.block, from, word.address);
            if (word.chunk != no_number) reach(word.chunk, from, word.address);
        };
        graph_.for_each_root_word([&](const found_word& word, bool) { follow(word, no_number); });
        for (std::size_t i = 0; i <= seen.size(); ++i) {
            if (i == seen.size()) {
                // What is reachable and was not reached is held by memory to which nothing leads.
                for (std::uint32_t node = 0; node != graph_.nodes(); ++node)
                    if (!graph_.is_block(node) && !graph_.is_part(node)) reach(node, no_number, 0);
                if (i == seen.size()) break;
            }
            const std::uint32_t node = seen[i];
            if (blocks_.count(node) == 0) {
                graph_.for_each_word_of(node, [&](const found_word& word) { follow(word, node); });
                continue;
            }
            std::vector<std::string> result;
            for (std::uint32_t at = node; at != no_number; at = origins[at].from)
                result.push_back(text_of_step(at, origins[at].from, origins[at].address));
            std::reverse(result.begin(), result.end());
            result.push_back(text_of_block(node));
            return result;
        }
        return {};
    }

    /// Says what holds a node: the object or variable in which the word is that leads to it.
    [[nodiscard]] std::string text_of_step(std::uint32_t node, std::uint32_t from,
                                           std::uint64_t address) {
        if (from == no_number && address == 0)
            return "memory of the heap that only the system may know";
        if (from == no_number) return text_of_root(address);
        if (!graph_.is_block(from)) return "memory of the heap";
        if (!graph_.is_block(node)) return text_of_block(from);
        return text_of_place({address, node, no_number, word_meaning::owner}, from, false);
    }

    const owner_graph& graph_;
    const program_modules& modules_;
    const std::vector<held_by>& ways_;
    const std::set<std::uint32_t>& blocks_;
    const stack_frames stacks_;
    std::vector<std::pair<found_word, std::uint32_t>> words_;  // and the nodes in which they are
    std::uint32_t content_of_ = no_number;                     // a node
    object_content content_;
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
