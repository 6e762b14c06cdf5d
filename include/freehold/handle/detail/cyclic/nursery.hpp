// SPDX-License-Identifier: BSL-1.0
// What it is: the young generation, which are objects that were judged at most once. A step judges
// one batch of its candidates, by trial deletion within the set of young objects that they reach.
// The set, and the places of the edges in it, are in flat arrays that fit the second-level cache.
// The set ends at old objects and at the end of the batch.
#pragma once

#include <freehold/detail/rounding.hpp>
#include <freehold/handle/detail/cyclic/candidates.hpp>
#include <freehold/handle/detail/cyclic/edges.hpp>
#include <freehold/handle/detail/cyclic/node.hpp>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <new>

namespace freehold::inline FREEHOLD_ABI::detail {

// Heap: `end(node)` ends a dead object, `end_pending()` those whose deaths that caused.
template <class Heap>
class nursery {
public:
    static constexpr std::size_t most_members = 4096;

    nursery(Heap& heap, candidate_list& candidates, candidate_list& old_candidates) noexcept
        : heap_(heap), candidates_(candidates), old_candidates_(old_candidates) {}

    struct outcome {
        std::size_t examined = 0;
        std::size_t ended = 0;
    };

    // Judges candidates until about `limit` objects were examined. If there is no memory for a set,
    // it examines none. promote_living() says what becomes of objects that live.
    outcome collect(std::size_t limit) {
        outcome result;
        while (!candidates_.empty() && result.examined < limit && has_arrays()) {
            explore(smaller(limit - result.examined, most_members));
            result.examined += size_;
            result.ended += judge();
        }
        return result;
    }

private:
    struct member {
        cyclic_node* node;
        std::uint32_t inner;       // edges to it from members; if it lives, a link of the work list
        std::uint32_t first_edge;  // its edges reach up to the next member's first
        bool root;                 // it was a candidate
        bool lives;
    };
    struct arrays {
        member members[most_members + 1];
        cyclic_handle* edges[4 * most_members];
    };
    static constexpr std::uint32_t no_member = UINT32_MAX;

    bool has_arrays() noexcept {
        if (!arrays_) arrays_.reset(new (std::nothrow) arrays);
        return arrays_ != nullptr;
    }

    void enroll(cyclic_node& n) noexcept {
        const bool root = n.index != 0;
        if (root) candidates_.remove(n);
        arrays_->members[size_] = {&n, 0, 0, root, false};
        n.index = static_cast<std::uint32_t>(++size_);
        n.set(cyclic_node::in_set);
    }

    // Writes the object's edges from `first` on. Returns the end of the edges, or null if there is
    // no room for them.
    cyclic_handle** trace(cyclic_node& n, cyclic_handle** first) {
        cyclic_handle** const last = std::end(arrays_->edges);
        if (first == last) return nullptr;
        bool overflown = false;
        const auto note = [](void* context, cyclic_handle**, cyclic_handle**) {
            *static_cast<bool*>(context) = true;
        };
        edge_sink sink(first, last, note, &overflown);
        n.type->trace(&n, sink);
        return overflown ? nullptr : sink.end();
    }

    void explore(std::size_t limit) {
        constexpr std::uint32_t border = cyclic_node::old;
        member* const members = arrays_->members;
        cyclic_handle** next_edge = arrays_->edges;
        size_ = 0;
        is_closed_ = true;
        std::size_t place = 0;
        while (!candidates_.empty() && size_ < limit) {
            enroll(candidates_.last());
            for (; place < size_; ++place) {
                members[place].first_edge = static_cast<std::uint32_t>(next_edge - arrays_->edges);
                cyclic_handle** const edges_end = trace(*members[place].node, next_edge);
                if (!edges_end) {  // an object without known edges hides garbage, and invents none
                    is_closed_ = false;
                    continue;
                }
                for (; next_edge != edges_end; ++next_edge) {
                    cyclic_node& target = *(*next_edge)->node;
                    const std::uint32_t state = target.shares_and_state;
                    if ((state & cyclic_node::in_set) != 0 && (state & border) == 0) {
                        ++members[target.index - 1].inner;
                    } else if ((state & (border | cyclic_node::leaf)) == 0 && size_ < limit) {
                        enroll(target);
                        members[size_ - 1].inner = 1;
                    } else if ((state & cyclic_node::leaf) == 0) {
                        is_closed_ = false;
                    }
                }
            }
        }
        members[size_].first_edge = static_cast<std::uint32_t>(next_edge - arrays_->edges);
    }

    template <class F>
    void for_each_edge_of(std::size_t place, F f) {
        const member* const m = arrays_->members + place;
        for (std::uint32_t i = m[0].first_edge; i < m[1].first_edge; ++i) f(*arrays_->edges[i]);
    }

    std::size_t judge() {
        member* const members = arrays_->members;
        std::uint32_t work = no_member;
        const auto keep = [&](std::size_t place) {
            members[place].lives = true;
            members[place].inner = work;
            work = static_cast<std::uint32_t>(place);
        };
        for (std::size_t i = 0; i < size_; ++i) {
            if (members[i].node->count() != members[i].inner) keep(i);
        }
        std::size_t living = 0;
        for (; work != no_member; ++living) {
            const std::size_t place = work;
            work = members[place].inner;
            for_each_edge_of(place, [&](cyclic_handle& edge) {
                const cyclic_node& target = *edge.node;
                if (target.is(cyclic_node::in_set) && !target.is(cyclic_node::old) &&
                    !members[target.index - 1].lives) {
                    keep(target.index - 1);
                }
            });
        }
        if (living != 0) promote_living();
        if (living != size_) end_others();
        return size_ - living;
    }

    // A candidate whose surroundings were not all seen becomes an old candidate: only then is it
    // examined again. For other objects one survival proves little, since collections run while the
    // program builds graphs.
    void promote_living() noexcept {
        for (std::size_t i = 0; i < size_; ++i) {
            const member& m = arrays_->members[i];
            if (!m.lives) continue;
            m.node->index = 0;
            m.node->clear(cyclic_node::in_set);
            m.node->set(is_closed_ && !m.node->is(cyclic_node::survivor) ? cyclic_node::survivor
                                                                         : cyclic_node::old);
            if (m.root && !is_closed_) old_candidates_.add(*m.node);
        }
    }

    // Sets the edges between objects that are destroyed together to null first. No destructor can
    // then reach an object whose destructor has run.
    void end_others() {
        member* const members = arrays_->members;
        for (std::size_t i = 0; i < size_; ++i) {
            if (members[i].lives) continue;
            members[i].node->index = 0;
            members[i].node->set(cyclic_node::dead);
        }
        for (std::size_t i = 0; i < size_; ++i) {
            if (members[i].lives) continue;
            for_each_edge_of(i, [](cyclic_handle& edge) {
                if (edge.node->is(cyclic_node::dead)) edge = {};
            });
        }
        for (std::size_t i = 0; i < size_; ++i) {
            if (!members[i].lives) heap_.end(*members[i].node);
        }
        heap_.end_pending();
    }

    Heap& heap_;
    candidate_list& candidates_;
    candidate_list& old_candidates_;
    std::unique_ptr<arrays> arrays_;  // made by the first collection
    std::size_t size_ = 0;            // of the set
    bool is_closed_ = true;           // the set has all that it reaches, except leaves
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
