// SPDX-License-Identifier: BSL-1.0
// What it is: the objects of one generation that only a cycle may own: an owner was dropped or
// moved, and others are left.
#pragma once

#include <freehold/handle/detail/cyclic/node.hpp>
#include <freehold/handle/detail/cyclic/sequence.hpp>

#include <cstddef>
#include <cstdint>

namespace freehold::inline FREEHOLD_ABI::detail {

// Invariant: each entry is null, or a settled object whose `index` is one more than the entry's
// place; the last entry is not null.
class candidate_list {
public:
    [[nodiscard]] std::size_t size() const noexcept { return nodes_.size(); }
    [[nodiscard]] bool empty() const noexcept { return nodes_.empty(); }

    // Takes a watched object. If there is no memory for the entry, the object stays watched: its
    // next release or move reports it again.
    void add(cyclic_node& n) noexcept {
        if (!nodes_.push_back(&n)) return;
        n.index = static_cast<std::uint32_t>(nodes_.size());
        n.settle();
    }

    // Removes the object from the list. It is watched again.
    void remove(cyclic_node& n) noexcept {
        nodes_[n.index - 1] = nullptr;
        n.index = 0;
        n.watch();
        while (!nodes_.empty() && !nodes_.back()) nodes_.pop_back();
    }

    [[nodiscard]] cyclic_node& last() noexcept { return *nodes_.back(); }

private:
    block_sequence<cyclic_node*> nodes_;
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
