// SPDX-License-Identifier: BSL-1.0
// Nodes of std::map, std::set and their multi forms, told by their links alone. A black node looks
// like an object with one owner: its colour is a number of 1, and its child points back to it.
#pragma once

#include "owners/memory_image.hpp"

#include <cstdint>

namespace freehold {

/// Whether libstdc++'s node of a tree is at an address: the links lead up to the tree's header, and
/// each leads back.
inline bool is_tree_node(const memory_image& image, std::uint64_t node) {
    enum link : std::uint64_t { parent = 8, left = 16, right = 24 };
    constexpr std::uint64_t count_in_header = 32;
    constexpr std::uint64_t red = 0;
    constexpr std::uint64_t black = 1;
    constexpr int deepest = 128;  // so deep is no tree of which memory has room
    // What is beside the colour may be left over.
    const auto colour = [&](std::uint64_t of) -> std::uint64_t {
        const auto word = image.value<std::uint32_t>(of);
        return word ? *word : image.mark(of).value_or(UINT8_MAX);
    };
    const auto at = [&](std::uint64_t of, link which) { return image.word_or_zero(of + which); };
    for (const link child : {left, right})
        if (const std::uint64_t to = at(node, child); to != 0 && at(to, parent) != node)
            return false;
    for (int i = 0; i != deepest && colour(node) <= black; ++i) {
        const std::uint64_t above = at(node, parent);
        if (above == 0) return false;
        // The header's links lead to the root, and to the first and the last node.
        if (at(above, parent) == node && colour(above) == red && at(above, left) != 0 &&
            at(above, right) != 0)
            return at(at(above, left), left) == 0 && at(at(above, right), right) == 0 &&
                   image.word_or_zero(above + count_in_header) != 0;
        if (at(above, left) != node && at(above, right) != node) return false;
        node = above;
    }
    return false;
}

}  // namespace freehold
