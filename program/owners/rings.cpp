// SPDX-License-Identifier: BSL-1.0
// Rings among leaked objects: the strongly connected components of what is leaked, by Tarjan's
// algorithm. What a component keeps alive is what it dominates in the graph of the components, by
// the algorithm of Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm" (2001).
#include "owners/owners_findings.hpp"
#include "owners/ways_by_pointers.hpp"

#include <algorithm>
#include <bit>
#include <cctype>
#include <map>
#include <string_view>
#include <tuple>

#include <fmt/format.h>

namespace freehold {
namespace {

struct owner_edge {
    std::uint32_t to;
    std::uint32_t way;  // no_number if it is unknown
};

class ring_finder {
public:
    ring_finder(const owner_graph& graph, object_walker& walker, type_layouts& types)
        : graph_(graph), walker_(walker), types_(types) {}

    std::vector<owner_ring> find() {
        read_edges();
        find_components();
        find_dominators();
        std::map<std::vector<held_by>, owner_ring> shapes;
        for (std::uint32_t i = 0; i != components_; ++i) {
            if (!is_ring(i)) continue;
            std::vector<held_by> path = shortest_way_around(i);
            if (path.empty()) continue;
            owner_ring& shape = shapes[path];
            shape.path = path;
            ++shape.instances;
            shape.retained += retained_[i];
            for (const std::uint32_t node : members_[i])
                if (graph_.is_block(dead_[node])) shape.bytes += graph_.bytes_of(dead_[node]);
        }
        std::vector<owner_ring> result;
        for (auto& [path, shape] : shapes) {
            shape.weaken = edge_of(shape.path);
            if (shape.weaken) turn_to_end(shape);
            result.push_back(std::move(shape));
        }
        std::stable_sort(result.begin(), result.end(),
                         [](const auto& a, const auto& b) { return a.retained > b.retained; });
        return result;
    }

private:
    /// What leaks gets numbers of its own, because it is mostly little.
    void read_edges() {
        for (std::uint32_t node = 0; node != graph_.nodes(); ++node) {
            if (node % bits_of_group == 0) groups_.push_back({0, dead_.size()});
            if (graph_.is_reachable(node) || graph_.is_part(node)) continue;
            groups_.back().bits |= std::uint64_t{1} << (node % bits_of_group);
            dead_.push_back(node);
        }
        for (const std::uint32_t node : dead_) {
            edges_of_.push_back(edges_.size());
            const object_content content =
                graph_.is_block(node) ? graph_.content_of(node) : object_content{};
            graph_.for_each_word_of(node, [&](const found_word& word) {
                if (word.chunk != no_number && !graph_.is_reachable(word.chunk))
                    edges_.push_back({number_of(word.chunk), no_number});
                if (word.block == no_number || graph_.is_reachable(word.block) ||
                    !graph_.is_owner(word) || !graph_.is_clear(word.block))
                    return;
                const bool is_certain = word.meaning == word_meaning::owner;
                edges_.push_back(
                    {number_of(word.block), is_certain ? content.way_of(word.address) : no_number});
            });
        }
        edges_of_.push_back(edges_.size());
    }

    [[nodiscard]] std::uint32_t number_of(std::uint32_t node) const {
        const group& in = groups_[node / bits_of_group];
        const std::uint64_t below = (std::uint64_t{1} << (node % bits_of_group)) - 1;
        return static_cast<std::uint32_t>(in.before) +
               static_cast<std::uint32_t>(std::popcount(in.bits & below));
    }

    void find_components() {
        const auto nodes = static_cast<std::uint32_t>(dead_.size());
        component_of_.assign(nodes, no_number);
        std::vector<std::uint32_t> number(nodes, no_number);
        std::vector<std::uint32_t> least(nodes, 0);
        std::vector<std::uint8_t> is_open(nodes, 0);
        std::vector<std::uint32_t> open;
        struct frame {
            std::uint32_t node;
            std::size_t edge;
        };
        std::vector<frame> calls;
        std::uint32_t next = 0;
        for (std::uint32_t root = 0; root != nodes; ++root) {
            if (number[root] != no_number) continue;
            calls.push_back({root, edges_of_[root]});
            while (!calls.empty()) {
                const std::uint32_t node = calls.back().node;
                if (number[node] == no_number) {
                    number[node] = least[node] = next++;
                    open.push_back(node);
                    is_open[node] = 1;
                }
                if (calls.back().edge != edges_of_[node + 1]) {
                    const std::uint32_t to = edges_[calls.back().edge++].to;
                    if (number[to] == no_number)
                        calls.push_back({to, edges_of_[to]});
                    else if (is_open[to] != 0)
                        least[node] = std::min(least[node], number[to]);
                    continue;
                }
                calls.pop_back();
                if (!calls.empty())
                    least[calls.back().node] = std::min(least[calls.back().node], least[node]);
                if (least[node] != number[node]) continue;
                members_.emplace_back();
                std::uint32_t member = no_number;
                do {
                    member = open.back();
                    open.pop_back();
                    is_open[member] = 0;
                    component_of_[member] = components_;
                    members_.back().push_back(member);
                } while (member != node);
                ++components_;
            }
        }
    }

    [[nodiscard]] bool is_ring(std::uint32_t component) const {
        if (members_[component].size() > 1) return true;
        const std::uint32_t node = members_[component].front();
        return std::any_of(edges_.begin() + static_cast<std::ptrdiff_t>(edges_of_[node]),
                           edges_.begin() + static_cast<std::ptrdiff_t>(edges_of_[node + 1]),
                           [node](const owner_edge& each) { return each.to == node; });
    }

    /// A component has a larger number than those that it holds.
    void find_dominators() {
        std::vector<std::vector<std::uint32_t>> holders(components_);
        for (std::uint32_t node = 0; node != dead_.size(); ++node)
            for (std::size_t i = edges_of_[node]; i != edges_of_[node + 1]; ++i) {
                const std::uint32_t from = component_of_[node];
                const std::uint32_t to = component_of_[edges_[i].to];
                if (from != to) holders[to].push_back(from);
            }
        // `components_` is the root, which holds what nothing else holds.
        std::vector<std::uint32_t> dominator(components_ + 1, components_);
        retained_.assign(components_ + 1, 0);
        for (std::uint32_t i = components_; i-- > 0;) {
            if (holders[i].empty()) continue;
            std::uint32_t common = holders[i].front();
            for (std::uint32_t other : holders[i])
                while (common != other) {
                    if (common < other)
                        common = dominator[common];
                    else
                        other = dominator[other];
                }
            dominator[i] = common;
        }
        for (std::uint32_t i = 0; i != components_; ++i) {
            for (const std::uint32_t node : members_[i])
                retained_[i] += graph_.memory_of(dead_[node]);
            retained_[dominator[i]] += retained_[i];
        }
    }

    [[nodiscard]] const std::string& type_of_block(std::uint32_t number) const {
        return graph_.kind_of(dead_[number]).type;
    }

    /// Returns the shortest way from an object back to it, of all types the one whose name is the
    /// first, in the rotation that is the first of its rotations.
    std::vector<held_by> shortest_way_around(std::uint32_t component) {
        std::uint32_t start = no_number;
        for (const std::uint32_t node : members_[component])
            if (graph_.is_block(dead_[node]) &&
                (start == no_number ||
                 std::tie(type_of_block(node), node) < std::tie(type_of_block(start), start)))
                start = node;
        if (start == no_number) return {};
        if (reached_by_.empty()) reached_by_.assign(dead_.size(), {no_number, no_number});
        std::vector<std::uint32_t> seen = {start};
        std::optional<owner_edge> last;  // its `to` is where it comes from
        for (std::size_t i = 0; i != seen.size() && !last; ++i)
            for (std::size_t k = edges_of_[seen[i]]; k != edges_of_[seen[i] + 1]; ++k) {
                const owner_edge& edge = edges_[k];
                if (component_of_[edge.to] != component) continue;
                if (edge.to == start) {
                    last = owner_edge{seen[i], edge.way};
                    break;
                }
                if (reached_by_[edge.to].to != no_number) continue;
                reached_by_[edge.to] = {seen[i], edge.way};
                seen.push_back(edge.to);
            }
        std::vector<owner_edge> edges;  // each from its `to`
        for (std::optional<owner_edge> at = last; at;) {
            edges.push_back(*at);
            if (at->to == start) break;
            at = reached_by_[at->to];
        }
        for (const std::uint32_t node : seen) reached_by_[node] = {no_number, no_number};
        std::reverse(edges.begin(), edges.end());
        std::vector<held_by> path;
        for (std::size_t i = 0; i != edges.size(); ++i) add_step(edges, i, path);
        path.erase(
            std::unique(path.begin(), path.end(),
                        [](const held_by& a, const held_by& b) { return !(a < b) && !(b < a); }),
            path.end());
        if (path.size() > 1 && !(path.front() < path.back()) && !(path.back() < path.front()))
            path.pop_back();
        const auto first = std::min_element(path.begin(), path.end());
        std::rotate(path.begin(), first, path.end());
        return path;
    }

    /// Adds the edge of this number to the path around, in which the last leads to the first.
    void add_step(const std::vector<owner_edge>& edges, std::size_t number,
                  std::vector<held_by>& path) {
        const auto& [from, way] = edges[number];
        if (way != no_number) {
            path.push_back(walker_.ways()[way]);
            return;
        }
        // Memory that belongs to no object for certain is a part of the way from the object to it.
        if (!graph_.is_block(dead_[from])) return;
        held_by step;
        step.type = type_of_block(from);
        std::vector<std::uint32_t> chunks;
        std::uint32_t to = from;
        for (std::size_t i = 1; i <= edges.size(); ++i) {
            to = dead_[edges[(number + i) % edges.size()].to];
            if (graph_.is_block(to)) break;
            chunks.push_back(to);
        }
        if (!chunks.empty())
            if (auto found = way_by_pointers(graph_, walker_, types_, dead_[from], chunks, to))
                step = std::move(*found);
        path.push_back(std::move(step));
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
    std::vector<std::uint32_t> dead_;  // nodes; all vectors below are in their order
    static constexpr std::uint32_t bits_of_group = 64;
    struct group {
        std::uint64_t bits;  // of the nodes that are in `dead_`
        std::size_t before;  // how many nodes in it are before this group
    };
    std::vector<group> groups_;
    std::vector<owner_edge> edges_;
    std::vector<std::size_t> edges_of_;
    std::vector<std::uint32_t> component_of_;
    std::vector<std::vector<std::uint32_t>> members_;
    std::vector<std::uint64_t> retained_;
    std::vector<owner_edge> reached_by_;
    std::uint32_t components_ = 0;
};

}  // namespace

std::vector<owner_ring> rings_in(const owner_graph& graph, object_walker& walker,
                                 type_layouts& types) {
    return ring_finder(graph, walker, types).find();
}

}  // namespace freehold
