// SPDX-License-Identifier: BSL-1.0
#include "owners/root_paths.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace freehold {

void root_paths::reach(const std::function<bool(std::uint32_t)>& use) {
    from_.assign(graph_.nodes(), not_reached);
    std::vector<std::uint32_t> seen;
    const auto reach = [&](std::uint32_t node, std::uint32_t from, std::uint64_t address) {
        if (!graph_.is_reachable(node) || from_[node] != not_reached) return;
        from_[node] = from;
        if (from == no_number && address != 0) roots_[node] = address;
        seen.push_back(node);
    };
    const auto follow = [&](const found_word& word, std::uint32_t from) {
        if (is_step(word)) reach(word.block, from, word.address);
        if (word.chunk != no_number) reach(word.chunk, from, word.address);
    };
    graph_.for_each_root_word([&](const found_word& word, bool) { follow(word, no_number); });
    for (std::size_t i = 0; i <= seen.size(); ++i) {
        if (i == seen.size()) {
            // What is reachable and was not reached is held by memory to which nothing leads.
            for (std::uint32_t node = 0; node != graph_.nodes(); ++node)
                if (!graph_.is_block(node) && !graph_.is_part(node)) reach(node, no_number, 0);
            if (i == seen.size()) return;
        }
        const std::uint32_t node = seen[i];
        if (use(node)) return;
        graph_.for_each_word_of(node, [&](const found_word& word) { follow(word, node); });
    }
}

std::vector<std::string> root_paths::path_to(std::uint32_t block) {
    std::vector<std::string> result = {text_of_block(block)};
    for (std::uint32_t at = block; at != no_number; at = from_[at])
        result.push_back(text_of_step(at));
    std::reverse(result.begin(), result.end());
    return result;
}

/// Says what holds a node: the object or variable in which the word is that leads to it.
std::string root_paths::text_of_step(std::uint32_t node) {
    const std::uint32_t from = from_[node];
    if (from == no_number) {
        const auto root = roots_.find(node);
        return root == roots_.end() ? "memory of the heap that only the system may know"
                                    : text_of_root(root->second, node);
    }
    if (!graph_.is_block(from)) return "memory of the heap";
    if (!graph_.is_block(node)) return text_of_block(from);
    return text_of_place({word_that_leads_to(node), node, no_number, word_meaning::owner}, from,
                         false);
}

std::uint64_t root_paths::word_that_leads_to(std::uint32_t node) const {
    std::uint64_t result = 0;
    graph_.for_each_word_of(from_[node], [&](const found_word& word) {
        if (result == 0 && word.block == node && is_step(word)) result = word.address;
    });
    return result;
}

std::string root_paths::text_of_block(std::uint32_t block) const {
    return fmt::format("{} at {:#x}", graph_.kind_of(block).type, graph_.object_of(block));
}

std::string root_paths::text_of_root(std::uint64_t address, std::uint32_t node) const {
    const std::string_view type = node != no_number && graph_.is_block(node)
                                      ? std::string_view(graph_.kind_of(node).type)
                                      : std::string_view();
    const memory_image& image = graph_.image();
    if (address >= register_addresses) {
        const auto [function, variable] = stacks_.place_at(address, type);
        if (!variable.empty()) return fmt::format("{} in {}", variable, function);
        const std::uint64_t thread =
            (address - register_addresses) / bytes_of_word / registers_of_thread;
        return fmt::format("a register of thread {}{}", image.threads[thread].id,
                           function.empty() ? "" : ", in " + function);
    }
    if (address == register_addresses - bytes_of_word) return "the system, as by epoll";
    const memory_segment* const segment = image.find(address);
    for (const thread_registers& each : image.threads)
        if (segment != nullptr && !segment->is_of_a_file &&
            segment->begin <= each.stack_pointer() && each.stack_pointer() < segment->end) {
            const auto [function, variable] = stacks_.place_at(address, type);
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

std::string root_paths::text_of_place(const found_word& word, std::uint32_t node,
                                      bool is_doubtful) {
    const std::string doubt = is_doubtful ? " (perhaps left over)" : "";
    if (node == no_number) return text_of_root(word.address, word.block) + doubt;
    if (!graph_.is_block(node)) return "memory of the heap that no known object has alone";
    if (word.meaning != word_meaning::unknown) {
        if (node != content_of_) content_ = graph_.content_of(content_of_ = node);
        const std::uint32_t way = content_.way_of(word.address);
        if (way != no_number) return text_of(ways_[way]);
    }
    return fmt::format("{} at offset {}", graph_.kind_of(node).type,
                       word.address - graph_.object_of(node));
}

}  // namespace freehold
