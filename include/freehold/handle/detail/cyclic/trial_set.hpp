// SPDX-License-Identifier: BSL-1.0
// What it is: trial deletion over a set of objects, in pieces between which the program may run.
#pragma once

#include <freehold/handle/detail/cyclic/edges.hpp>
#include <freehold/handle/detail/cyclic/node.hpp>
#include <freehold/handle/detail/cyclic/sequence.hpp>

#include <cstddef>
#include <cstdint>

namespace freehold::inline FREEHOLD_ABI::detail {

inline constexpr std::uint32_t no_place = UINT32_MAX;

struct set_member {
    cyclic_node* node;  // null: it died since
    std::uint32_t
        inner;  // edges to it from its group; once it is known to live, a link of the work list
    std::uint32_t next;   // of its group's list
    std::uint32_t group;  // groups are judged apart from each other
    bool lives = false;
    bool reported = false;  // it became a candidate again since it was enrolled
};

class trial_set {
public:
    static constexpr std::uint32_t any_group = no_place;

    [[nodiscard]] std::size_t size() const noexcept { return members_.size(); }
    [[nodiscard]] set_member& operator[](std::size_t i) noexcept { return members_[i]; }
    [[nodiscard]] set_member& of(const cyclic_node& n) noexcept { return members_[n.index - 1]; }

    // Takes an object that is watched and in no list. The object is a group of its own. Returns
    // false, and changes nothing, if there is no memory.
    [[nodiscard]] bool enroll(cyclic_node& n) noexcept {
        const auto place = static_cast<std::uint32_t>(members_.size());
        if (!members_.push_back({.node = &n, .inner = 0, .next = place + 1, .group = place}))
            return false;
        n.index = place + 1;
        n.set(cyclic_node::in_set | cyclic_node::old);
        return true;
    }

    // Calls f(member) for the target of each edge of the object to a member of the group.
    template <class F>
    void for_each_target(cyclic_node& n, std::uint32_t group, F f) {
        for_each_edge(n, [&](cyclic_handle& edge) {
            if (!edge.node->is(cyclic_node::in_set)) return;
            set_member& target = of(*edge.node);
            if (group == any_group || target.group == group) f(target);
        });
    }

    // Calls f with each member of the list from `first` on that has not died.
    template <class F>
    void for_each(std::uint32_t first, F f) {
        for (std::uint32_t i = first; i < members_.size();) {
            set_member& m = members_[i];
            i = m.next;
            if (m.node) f(m);
        }
    }

    // Counts the edges to the members of the list from within their group.
    void count_edges(std::uint32_t first, std::uint32_t group) {
        for_each(first, [](set_member& m) { m.inner = 0; });
        for_each(first, [&](set_member& m) {
            for_each_target(*m.node, group, [](set_member& target) { ++target.inner; });
        });
    }

    // Requires that the edges are counted, and that no handle was used since. Marks the members of
    // the list that live: those that an owner outside of the group or a living member owns. The
    // others are garbage.
    void find_living(std::uint32_t first, std::uint32_t group) {
        std::uint32_t work = no_place;
        for_each(first, [&](set_member& m) {
            if (!m.lives && m.node->count() != m.inner) keep(m, work);
        });
        while (work != no_place) keep_targets_of_next(work, group);
    }

    static void keep(set_member& m, std::uint32_t& work) noexcept {
        m.lives = true;
        m.inner = work;
        work = m.node->index - 1;
    }
    void keep_targets_of_next(std::uint32_t& work, std::uint32_t group) {
        const set_member& m = members_[work];
        work = m.inner;
        if (!m.node) return;
        for_each_target(*m.node, group, [&](set_member& target) {
            if (!target.lives) keep(target, work);
        });
    }

    // Two groups become one. The link of a group is `group`, up to the member whose own place it
    // is.
    void join(std::uint32_t a, std::uint32_t b) noexcept {
        members_[group_of(a)].group = group_of(b);
    }
    [[nodiscard]] std::uint32_t group_of(std::uint32_t place) noexcept {
        while (members_[place].group != place) {
            const std::uint32_t parent = members_[place].group;
            place = members_[place].group = members_[parent].group;
        }
        return place;
    }

    void clear() noexcept { members_.clear(); }

private:
    block_sequence<set_member> members_;
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
