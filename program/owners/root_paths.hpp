// SPDX-License-Identifier: BSL-1.0
// The shortest ways from variables, stacks and registers to objects, and the names of the places on
// them.
#pragma once

#include "owners/modules.hpp"
#include "owners/owner_graph.hpp"
#include "owners/owners_report.hpp"
#include "owners/stack_frames.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

namespace freehold {

class root_paths {
public:
    /// All arguments must outlive this object.
    root_paths(const owner_graph& graph, const program_modules& modules,
               const std::vector<held_by>& ways)
        : graph_(graph), modules_(modules), ways_(ways), stacks_(graph.image(), modules) {}

    /// Calls `use(node)` for each reachable node, those that are nearest to a root first, until it
    /// returns true. To be called once.
    void reach(const std::function<bool(std::uint32_t)>& use);
    /// Returns the shortest way to a block that `reach` has come to.
    std::vector<std::string> path_to(std::uint32_t block);
    /// Says in which object or variable a word is. Words of one node come one after the other.
    std::string text_of_place(const found_word& word, std::uint32_t node, bool is_doubtful);

private:
    [[nodiscard]] std::string text_of_block(std::uint32_t block) const;
    [[nodiscard]] std::string text_of_root(std::uint64_t address, std::uint32_t node) const;
    std::string text_of_step(std::uint32_t node);
    [[nodiscard]] std::uint64_t word_that_leads_to(std::uint32_t node) const;
    [[nodiscard]] bool is_step(const found_word& word) const {
        return word.block != no_number && word.meaning != word_meaning::weak &&
               graph_.is_owner(word);
    }

    static constexpr std::uint32_t not_reached = no_number - 1;

    const owner_graph& graph_;
    const program_modules& modules_;
    const std::vector<held_by>& ways_;
    const stack_frames stacks_;
    std::vector<std::uint32_t> from_;  // the node before each; no_number if there is none
    std::unordered_map<std::uint32_t, std::uint64_t> roots_;  // the words that lead to first nodes
    std::uint32_t content_of_ = no_number;                    // a node
    object_content content_;
};

}  // namespace freehold
