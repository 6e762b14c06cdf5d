// SPDX-License-Identifier: BSL-1.0
// What is kept for each node of a graph of owners. There may be many millions of nodes, so each
// table takes as few bytes for each as it can.
#pragma once

#include "owners/heap_map.hpp"
#include "owners/memory_image.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

namespace freehold {

/// Numbers up to 14 in half a byte each.
class small_counts {
public:
    explicit small_counts(std::size_t size = 0) : low_((size + 1) / 2) {}
    void add(std::uint32_t at) {
        if (low(at) == most)
            ++more_[at];
        else
            low_[at / 2] = static_cast<std::uint8_t>(low_[at / 2] + (1U << shift(at)));
    }
    /// The number must not be 0.
    void subtract(std::uint32_t at) {
        const auto more = low(at) == most ? more_.find(at) : more_.end();
        if (more == more_.end())
            low_[at / 2] = static_cast<std::uint8_t>(low_[at / 2] - (1U << shift(at)));
        else if (--more->second == 0)
            more_.erase(more);
    }
    [[nodiscard]] std::uint64_t operator[](std::uint32_t at) const {
        if (low(at) != most) return low(at);
        const auto found = more_.find(at);
        return most + (found == more_.end() ? 0 : found->second);
    }

private:
    static constexpr unsigned most = 15;
    static unsigned shift(std::uint32_t at) { return at % 2 * 4; }
    [[nodiscard]] unsigned low(std::uint32_t at) const {
        return static_cast<unsigned>(low_[at / 2]) >> shift(at) & most;
    }

    sparse_array<std::uint8_t> low_;
    std::unordered_map<std::uint32_t, std::uint64_t> more_;
};

/// The kind of each node that is a block, in a byte each: few kinds are in use.
class node_kinds {
public:
    static constexpr std::uint16_t none = UINT16_MAX;

    void assign(std::size_t nodes) { codes_.assign(nodes, is_none); }
    [[nodiscard]] std::size_t size() const { return codes_.size(); }
    [[nodiscard]] bool has(std::uint32_t node) const { return codes_[node] != is_none; }
    [[nodiscard]] std::uint16_t operator[](std::uint32_t node) const {
        const std::uint8_t code = codes_[node];
        if (code < is_elsewhere) return kinds_[code];
        return code == is_none ? none : elsewhere_.at(node);
    }
    void set(std::uint32_t node, std::uint16_t kind) {
        auto found = code_of_.find(kind);
        if (found == code_of_.end() && kinds_.size() != is_elsewhere) {
            found = code_of_.emplace(kind, static_cast<std::uint8_t>(kinds_.size())).first;
            kinds_.push_back(kind);
        }
        codes_[node] = found == code_of_.end() ? is_elsewhere : found->second;
        if (found == code_of_.end()) elsewhere_[node] = kind;
    }
    void push_back(std::uint16_t kind) {
        codes_.push_back(is_none);
        set(static_cast<std::uint32_t>(codes_.size() - 1), kind);
    }

private:
    static constexpr std::uint8_t is_none = UINT8_MAX;
    static constexpr std::uint8_t is_elsewhere = UINT8_MAX - 1;

    std::vector<std::uint8_t> codes_;
    std::vector<std::uint16_t> kinds_;  // by code
    std::unordered_map<std::uint16_t, std::uint8_t> code_of_;
    std::unordered_map<std::uint32_t, std::uint16_t> elsewhere_;
};

/// Nodes that are still to be looked at, in no order. Some are in a list; if there are more, the
/// others are marked in a bit each.
class open_nodes {
public:
    /// `most`: how long the list may be, 64 at least.
    explicit open_nodes(std::uint32_t nodes, std::size_t most = std::size_t{1} << 16)
        : nodes_(nodes), most_(most) {}
    /// A node that is there already may later be taken once or twice.
    void add(std::uint32_t node) {
        if (list_.size() < most_) {
            list_.push_back(node);
            return;
        }
        if (marks_.empty()) marks_.assign(nodes_ / 64 + 1, 0);
        marks_[node / 64] |= std::uint64_t{1} << (node % 64);
        first_marked_ = std::min<std::size_t>(first_marked_, node / 64);
    }
    [[nodiscard]] bool empty() {
        if (list_.empty()) list_marked();
        return list_.empty();
    }
    /// Takes a node out. There must be one.
    std::uint32_t take() {
        const std::uint32_t result = list_.back();
        list_.pop_back();
        return result;
    }

private:
    void list_marked() {
        for (; first_marked_ < marks_.size() && list_.size() + 64 <= most_; ++first_marked_)
            for (std::uint64_t& left = marks_[first_marked_]; left != 0; left &= left - 1)
                list_.push_back(static_cast<std::uint32_t>(first_marked_ * 64) +
                                static_cast<unsigned>(__builtin_ctzll(left)));
    }

    std::uint32_t nodes_;
    std::size_t most_;
    std::vector<std::uint32_t> list_;
    std::vector<std::uint64_t> marks_;
    std::size_t first_marked_ = SIZE_MAX;  // no group of marks before it has one
};

/// Chunks that are parts of nodes with nearly the same number, in half a byte for each chunk: most
/// objects were allocated directly before or behind their blocks of counts.
class near_parts {
public:
    void assign(std::uint32_t chunks) {
        size_ = chunks;
        codes_ = sparse_array<std::uint8_t>(std::size_t{chunks} / 2 + 1);
    }
    static bool is_near(std::uint32_t chunk, std::uint32_t node) {
        return node + furthest - chunk <= 2 * furthest;
    }
    /// The node must be near.
    void take(std::uint32_t chunk, std::uint32_t node) { set(chunk, node + middle - chunk); }
    void give_up(std::uint32_t chunk) { set(chunk, 0); }
    [[nodiscard]] bool is_part(std::uint32_t chunk) const { return code(chunk) != 0; }
    /// Returns the node of which a chunk is a part.
    [[nodiscard]] std::uint32_t node_of(std::uint32_t chunk) const {
        return chunk + code(chunk) - middle;
    }
    /// Calls `use(chunk)` for each part of a node.
    template <class Use>
    void for_each_of(std::uint32_t node, Use use) const {
        const std::uint32_t first = node - std::min(node, furthest);
        for (std::uint32_t i = first; i < size_ && i <= node + furthest; ++i)
            if (is_part(i) && node_of(i) == node) use(i);
    }

private:
    static constexpr std::uint32_t middle = 8;  // the code of no distance
    static constexpr std::uint32_t furthest = middle - 1;

    [[nodiscard]] std::uint32_t code(std::uint32_t chunk) const {
        return static_cast<unsigned>(codes_[chunk / 2]) >> chunk % 2 * 4 & 15;
    }
    void set(std::uint32_t chunk, std::uint32_t code) {
        std::uint8_t& both = codes_[chunk / 2];
        const unsigned shift = chunk % 2 * 4;
        both = static_cast<std::uint8_t>((both & ~(15U << shift)) | code << shift);
    }

    std::uint32_t size_ = 0;
    sparse_array<std::uint8_t> codes_;
};

/// Which chunks of the heap are parts of other nodes. Parts are taken first, and then settled.
class chunk_parts {
public:
    void assign(std::uint32_t chunks) {
        size_ = chunks;
        near_.assign(chunks);
        taken_.clear();
        is_far_.assign(size_ / 64 + 1, 0);
    }
    [[nodiscard]] std::uint32_t chunks() const { return size_; }
    /// After `settle`, without those that were shared.
    [[nodiscard]] bool is_part(std::uint32_t chunk) const {
        return near_.is_part(chunk) || is_far(chunk);
    }

    // Before `settle`:
    /// Returns whether nothing had taken the chunk.
    bool take(std::uint32_t chunk, std::uint32_t node) {
        if (is_part(chunk)) return false;
        if (near_parts::is_near(chunk, node)) {
            near_.take(chunk, node);
            return true;
        }
        is_far_[chunk / 64] |= std::uint64_t{1} << (chunk % 64);
        taken_.push_back({chunk, node});
        return true;
    }
    /// A chunk that two nodes seem to have belongs to none of them.
    void share(std::uint32_t chunk, std::uint32_t node) {
        if (!near_.is_part(chunk))
            taken_.push_back({chunk, node});
        else if (near_.node_of(chunk) != node)
            shared_.push_back(chunk);
    }
    /// `nodes` is the number of all nodes.
    void settle(std::uint32_t nodes) {
        for (const std::uint32_t each : std::exchange(shared_, {})) near_.give_up(each);
        has_parts_.assign(nodes, false);
        for (std::uint32_t i = 0; i != size_; ++i)
            if (near_.is_part(i)) has_parts_[near_.node_of(i)] = true;
        std::sort(taken_.begin(), taken_.end(),
                  [](const taken_part& a, const taken_part& b) { return a.chunk < b.chunk; });
        leave_out_shared();
        nodes_.reserve(taken_.size());
        std::size_t next = 0;
        for (std::uint32_t i = 0; i < size_; i += bits_of_group) {
            ranks_.push_back(static_cast<std::uint32_t>(next));
            for (; next != taken_.size() && taken_[next].chunk < i + bits_of_group; ++next) {
                has_parts_[taken_[next].node] = true;
                nodes_.push_back(taken_[next].node);
            }
        }
        std::sort(taken_.begin(), taken_.end(), [](const taken_part& a, const taken_part& b) {
            return a.node != b.node ? a.node < b.node : a.chunk < b.chunk;
        });
        parts_.reserve(taken_.size());
        for (const taken_part& each : taken_) parts_.push_back(each.chunk);
        std::vector<taken_part>().swap(taken_);
    }

    // After it:
    /// Returns the node of which a chunk is a part, or is itself.
    [[nodiscard]] std::uint32_t node_of(std::uint32_t chunk) const {
        if (near_.is_part(chunk)) return near_.node_of(chunk);
        return is_far(chunk) ? nodes_[rank(chunk)] : chunk;
    }
    /// Calls `use(chunk)` for each part of a node.
    template <class Use>
    void for_each_of(std::uint32_t node, Use use) const {
        if (!has_parts_[node]) return;
        near_.for_each_of(node, use);
        const auto begin = std::partition_point(
            parts_.begin(), parts_.end(),
            [this, node](std::uint32_t part) { return nodes_[rank(part)] < node; });
        for (auto at = begin; at != parts_.end() && nodes_[rank(*at)] == node; ++at) use(*at);
    }

private:
    static constexpr std::uint32_t bits_of_group = 512;

    struct taken_part {
        std::uint32_t chunk;
        std::uint32_t node;
    };

    [[nodiscard]] bool is_far(std::uint32_t chunk) const {
        return (is_far_[chunk / 64] >> (chunk % 64) & 1) != 0;
    }

    /// Of the parts that are not near, which are sorted, keeps those of one node, once each.
    void leave_out_shared() {
        std::size_t kept = 0;
        for (std::size_t i = 0; i != taken_.size();) {
            const taken_part first = taken_[i];
            bool is_shared = false;
            for (; i != taken_.size() && taken_[i].chunk == first.chunk; ++i)
                is_shared |= taken_[i].node != first.node;
            if (is_shared)
                is_far_[first.chunk / 64] &= ~(std::uint64_t{1} << (first.chunk % 64));
            else
                taken_[kept++] = first;
        }
        taken_.resize(kept);
    }

    /// Returns how many parts that are not near are before a chunk.
    [[nodiscard]] std::uint32_t rank(std::uint32_t chunk) const {
        const std::uint32_t group = chunk / bits_of_group;
        std::uint32_t result = ranks_[group];
        for (std::uint32_t i = group * (bits_of_group / 64); i != chunk / 64; ++i)
            result += static_cast<unsigned>(__builtin_popcountll(is_far_[i]));
        const std::uint64_t below = (std::uint64_t{1} << (chunk % 64)) - 1;
        return result + static_cast<unsigned>(__builtin_popcountll(is_far_[chunk / 64] & below));
    }

    std::uint32_t size_ = 0;
    near_parts near_;
    std::vector<std::uint32_t> shared_;  // near ones that two nodes seem to have, until settled
    std::vector<bool> has_parts_;        // of each node
    // Of parts that are not near:
    std::vector<taken_part> taken_;      // until it is settled
    std::vector<std::uint64_t> is_far_;  // a bit for each chunk
    std::vector<std::uint32_t> ranks_;   // of the first chunk of each group
    std::vector<std::uint32_t> nodes_;   // of each part
    std::vector<std::uint32_t> parts_;   // sorted by their nodes
};

}  // namespace freehold
