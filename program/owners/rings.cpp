// SPDX-License-Identifier: BSL-1.0
// Rings among leaked objects: the strongly connected components of what leaks.
#include "owners/leaked_nodes.hpp"
#include "owners/owners_findings.hpp"
#include "owners/strong_components.hpp"
#include "owners/ways_by_pointers.hpp"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace freehold {
namespace {

class ring_finder {
    using path = std::vector<std::uint32_t>;  // numbers in object_walker::ways

public:
    ring_finder(const owner_graph& graph, object_walker& walker, type_layouts& types)
        : graph_(graph),
          walker_(walker),
          types_(types),
          leaked_(graph),
          edges_(leaked_.edges()),
          components_(edges_) {}

    std::vector<owner_ring> find() {
        if (components_.rings().count() == 0) return {};
        find_starts();
        find_shapes();
        add_sizes();
        std::map<std::vector<held_by>, owner_ring> sorted;
        for (owner_ring& each : shapes_) {
            owner_ring& to = sorted[each.path];
            to = std::move(each);
        }
        std::vector<owner_ring> result;
        for (auto& [way, shape] : sorted) {
            shape.weaken = edge_of(shape.path);
            if (shape.weaken) turn_to_end(shape);
            result.push_back(std::move(shape));
        }
        std::stable_sort(result.begin(), result.end(),
                         [](const auto& a, const auto& b) { return a.retained > b.retained; });
        return result;
    }

private:
    /// Finds the first object in each ring, of all types the one whose name is the first.
    void find_starts() {
        of_ring_.assign(components_.rings().count(), no_number);
        leaked_.for_each([this](std::uint32_t number, std::uint32_t node) {
            const std::uint32_t ring = ring_of(number);
            if (ring == no_number || !graph_.is_block(node)) return;
            std::uint32_t& start = of_ring_[ring];
            if (start == no_number || comes_before(graph_.kind_of(node), graph_.kind_of(start)))
                start = node;
        });
    }
    static bool comes_before(const block_kind& one, const block_kind& other) {
        return &one != &other && one.type < other.type;
    }

    /// Puts the number of its shape in the place of each ring's start.
    void find_shapes() {
        for (std::uint32_t& each : of_ring_) {
            if (each == no_number) continue;
            const path way = shortest_way_around(each);
            each = way.empty() ? no_number : shape_of(way);
        }
    }

    void add_sizes() {
        std::vector<std::uint64_t> retained;  // by each component
        if (components_.has_edges_between()) retained.assign(components_.size(), 0);
        leaked_.for_each([&](std::uint32_t number, std::uint32_t node) {
            if (!retained.empty()) retained[components_.of(number)] += graph_.memory_of(node);
            const std::uint32_t ring = ring_of(number);
            if (ring == no_number || of_ring_[ring] == no_number) return;
            owner_ring& shape = shapes_[of_ring_[ring]];
            if (retained.empty()) shape.retained += graph_.memory_of(node);
            if (graph_.is_block(node)) shape.bytes += graph_.bytes_of(node);
        });
        components_.add_dominated(retained);
        std::uint32_t ring = 0;
        components_.rings().for_each([&](std::uint32_t component) {
            const std::uint32_t shape = of_ring_[ring++];
            if (shape == no_number) return;
            ++shapes_[shape].instances;
            if (!retained.empty()) shapes_[shape].retained += retained[component];
        });
    }

    /// Returns the number of the ring in which a leaked node is, or no_number.
    [[nodiscard]] std::uint32_t ring_of(std::uint32_t number) const {
        const ranked_bits& rings = components_.rings();
        const std::uint32_t component = components_.of(number);
        return rings[component] ? rings.number_of(component) : no_number;
    }

    /// Returns the number of the shape of a ring with this way around.
    std::uint32_t shape_of(const path& way) {
        const auto [found, is_new] =
            numbers_of_ways_.emplace(way, static_cast<std::uint32_t>(shapes_.size()));
        if (!is_new) return found->second;
        path turned = way;
        const auto first = std::min_element(turned.begin(), turned.end(),
                                            [this](std::uint32_t one, std::uint32_t other) {
                                                return walker_.ways()[one] < walker_.ways()[other];
                                            });
        std::rotate(turned.begin(), first, turned.end());
        const auto [shape, is_new_shape] =
            numbers_.emplace(turned, static_cast<std::uint32_t>(shapes_.size()));
        if (is_new_shape) {
            shapes_.emplace_back();
            for (const std::uint32_t each : turned)
                shapes_.back().path.push_back(walker_.ways()[each]);
        }
        return found->second = shape->second;
    }

    /// Returns the shortest way from a node back to it, without the repetitions of its steps.
    path shortest_way_around(std::uint32_t start) {
        path result;
        std::vector<std::uint32_t> chunks;  // between a block and the next one
        std::uint32_t to = start;
        components_.for_each_back_from(leaked_.number_of(start), [&](std::uint32_t number) {
            const std::uint32_t node = leaked_.node_of(number);
            if (!graph_.is_block(node)) {
                chunks.push_back(node);
                return;
            }
            std::reverse(chunks.begin(), chunks.end());
            const std::uint32_t step = step_from(node, chunks, to);
            if (result.empty() || result.back() != step) result.push_back(step);
            chunks.clear();
            to = node;
        });
        std::reverse(result.begin(), result.end());
        if (result.size() > 1 && result.front() == result.back()) result.pop_back();
        return result;
    }

    /// Returns the edge from a block to the next one around. Memory that belongs to no object for
    /// certain is a part of the way from the object to it, and has no edge of its own.
    std::uint32_t step_from(std::uint32_t from, const std::vector<std::uint32_t>& chunks,
                            std::uint32_t to) {
        if (!chunks.empty()) {
            if (const auto found = way_by_pointers(graph_, walker_, types_, from, chunks, to))
                return walker_.number_of(*found);
        } else if (const std::uint32_t way = way_to(from, to); way != no_number) {
            return way;
        }
        held_by unknown;
        unknown.type = graph_.kind_of(from).type;
        return walker_.number_of(unknown);
    }

    /// Returns the way to the first owner of a block in an object, or no_number if debug
    /// information does not tell it.
    [[nodiscard]] std::uint32_t way_to(std::uint32_t object, std::uint32_t block) const {
        std::uint64_t address = 0;
        bool is_certain = false;
        leaked_.for_each_edge_of(object, [&](std::uint32_t to, const found_word& word) {
            if (to != block || address != 0) return;
            address = word.address;
            is_certain = word.block == block && word.meaning == word_meaning::owner;
        });
        return is_certain ? graph_.way_from(object, address) : no_number;
    }

    /// Whether a member is named as the way back to what contains the object.
    static bool is_named_as_way_back(const held_by& step) {
        std::string name = step.member.substr(step.member.rfind('.') + 1);
        if (name.starts_with("m_")) name.erase(0, 2);
        std::erase(name, '_');
        std::transform(name.begin(), name.end(), name.begin(),
                       [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
        for (const std::string_view end : {"ptr", "pointer", "ref", "handle"})
            if (name.size() > end.size() && name.ends_with(end))
                name.erase(name.size() - end.size());
        static constexpr std::string_view names[] = {"parent", "owner", "back",      "up",
                                                     "outer",  "prev",  "container", "previous"};
        return std::find(std::begin(names), std::end(names), name) != std::end(names);
    }

    static std::optional<edge_to_weaken> edge_of(const std::vector<held_by>& path) {
        if (path.size() == 1 && !path[0].closure.empty())
            return edge_to_weaken{0, "the object keeps the closure that owns it", true};
        std::optional<std::size_t> named;
        std::optional<std::size_t> single;
        std::optional<std::size_t> captured;
        std::size_t captures = 0;
        std::size_t names = 0;
        std::size_t singles = 0;
        for (std::size_t i = 0; i != path.size(); ++i) {
            if (!path[i].closure.empty()) {
                ++captures;
                captured = i;
            }
            if (path[i].member.empty() || path[i].in_container) continue;
            ++singles;
            single = i;
            if (!is_named_as_way_back(path[i])) continue;
            ++names;
            named = i;
        }
        // Only if all others are elements of containers does a single handle show the way back.
        const bool is_only = singles == 1 && path.size() > 1;
        if (names == 1 && is_only)
            return edge_to_weaken{
                *named, "its name and its being a single handle say that it is the way back", true};
        if (names == 1)
            return edge_to_weaken{*named, "its name says that it is the way back", false};
        if (names == 0 && captures == 1)
            return edge_to_weaken{*captured, "the closure owns what keeps the closure", false};
        if (names == 0 && is_only)
            return edge_to_weaken{
                *single, "it is the single handle from an element to what contains it", false};
        return std::nullopt;
    }

    static void turn_to_end(owner_ring& shape) {
        const auto next = static_cast<std::ptrdiff_t>((shape.weaken->step + 1) % shape.path.size());
        std::rotate(shape.path.begin(), shape.path.begin() + next, shape.path.end());
        shape.weaken->step = shape.path.size() - 1;
    }

    const owner_graph& graph_;
    object_walker& walker_;
    type_layouts& types_;
    leaked_nodes leaked_;
    edge_lists edges_;
    strong_components components_;
    std::vector<std::uint32_t> of_ring_;  // by each ring: where it starts, and then its shape
    std::vector<owner_ring> shapes_;
    std::map<path, std::uint32_t> numbers_;          // of shapes
    std::map<path, std::uint32_t> numbers_of_ways_;  // the same, wherever the way starts
};

}  // namespace

std::vector<owner_ring> rings_in(const owner_graph& graph, object_walker& walker,
                                 type_layouts& types) {
    return ring_finder(graph, walker, types).find();
}

}  // namespace freehold
