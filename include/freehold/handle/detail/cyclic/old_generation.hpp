// SPDX-License-Identifier: BSL-1.0
// What it is: the old generation, which are objects that an analysis has found to live. It analyses
// its candidates, and all that they reach, in slices between which the program runs. `explore`
// counts the edges between them; `scan` leaves out what lives. Counts may change between slices, so
// that this only narrows the set. The rest is divided into groups that no edge connects. One step
// counts each group once more and judges it. The longest step is therefore a slice's budget, or the
// largest single piece of connected garbage.
#pragma once

#include <freehold/detail/rounding.hpp>
#include <freehold/handle/detail/cyclic/candidates.hpp>
#include <freehold/handle/detail/cyclic/node.hpp>
#include <freehold/handle/detail/cyclic/trial_set.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace freehold::inline FREEHOLD_ABI::detail {

// Heap: see nursery.hpp.
template <class Heap>
class old_generation {
public:
    old_generation(Heap& heap, candidate_list& candidates,
                   candidate_list& young_candidates) noexcept
        : heap_(heap), candidates_(candidates), young_candidates_(young_candidates) {}

    [[nodiscard]] bool is_idle() const noexcept { return phase_ == phase::idle; }

    void report(cyclic_node& n) noexcept {
        if (n.is(cyclic_node::in_set)) {
            set_.of(n).reported = true;
            n.settle();
        } else {
            candidates_.add(n);
        }
    }
    void forget(cyclic_node& n) noexcept {
        if (n.is(cyclic_node::in_set)) {
            set_.of(n).node = nullptr;
        } else {
            candidates_.remove(n);
        }
    }

    void begin() noexcept {
        ended_ = 0;
        work_ = no_place;
        enter(phase::gather);
    }

    // Processes up to `budget` objects of the current phase, and subtracts their number from
    // `budget`. Returns the number of objects destroyed.
    std::size_t advance(std::size_t& budget) {
        switch (phase_) {
            case phase::idle:
                break;
            case phase::gather:
                if (gather(budget)) enter(phase::explore);
                break;
            case phase::explore:
                if (over_members(budget, [&](std::uint32_t i) { explore(i); })) enter(phase::scan);
                break;
            case phase::scan:
                if (scan(budget)) enter(phase::join);
                break;
            case phase::join:
                if (over_members(budget, [&](std::uint32_t i) { join_targets(i); }))
                    enter(phase::chain);
                break;
            case phase::chain:
                if (over_members(budget, [&](std::uint32_t i) { chain_to_group(i); }))
                    enter(phase::judge);
                break;
            case phase::judge:
                return judge_groups(budget);
            case phase::dismiss:
                if (over_members(budget, [&](std::uint32_t i) { dismiss(set_[i]); })) {
                    set_.clear();
                    enter(phase::idle);
                }
                break;
        }
        return 0;
    }

    // Finishes the analysis in one step, including the candidates that were reported since it
    // began. The objects gathered so far are explored again and judged as one group.
    std::size_t finish(std::size_t& budget) {
        const bool is_counted = set_.size() == 0;
        gather(budget);
        if (!is_counted) {
            for (std::size_t i = 0; i < set_.size(); ++i) {
                set_member& m = set_[i];
                m.next = static_cast<std::uint32_t>(i) + 1;
                m.lives = false;
                if (std::exchange(m.reported, false) && m.node) m.node->watch();
            }
        }
        enter(phase::explore);
        over_members(budget, [&](std::uint32_t i) { explore(i); });
        if (!is_counted) set_.count_edges(0, trial_set::any_group);
        judge(0, trial_set::any_group);
        enter(phase::dismiss);
        std::size_t unlimited = SIZE_MAX;
        advance(unlimited);
        return ended_;
    }

    // Of the last analysis.
    [[nodiscard]] std::size_t ended() const noexcept { return ended_; }

private:
    static constexpr std::size_t cost_of_judging = 4;  // an object, against any other step

    enum class phase { idle, gather, explore, scan, join, chain, judge, dismiss };

    void enter(phase next) noexcept {
        phase_ = next;
        place_ = 0;
    }

    bool enroll(cyclic_node& n) noexcept {
        candidate_list& list = n.is(cyclic_node::old) ? candidates_ : young_candidates_;
        const bool listed = n.index != 0;
        if (listed) list.remove(n);
        if (set_.enroll(n)) return true;
        if (listed) list.add(n);
        return false;
    }

    // Returns true if no candidate is left, or if there is no memory to take more.
    bool gather(std::size_t& budget) noexcept {
        for (; !candidates_.empty(); --budget) {
            if (budget == 0) return false;
            if (!enroll(candidates_.last())) break;
        }
        return true;
    }

    // Performs a part of a phase that visits each member once. Returns true after the last member.
    template <class F>
    bool over_members(std::size_t& budget, F f) {
        for (; place_ < set_.size() && budget != 0; ++place_, --budget)
            f(static_cast<std::uint32_t>(place_));
        return place_ == set_.size();
    }

    void explore(std::uint32_t place) {
        cyclic_node* const n = set_[place].node;
        if (!n) return;
        for_each_edge(*n, [&](cyclic_handle& edge) {
            cyclic_node& target = *edge.node;
            if (target.is(cyclic_node::leaf)) return;
            if (target.is(cyclic_node::in_set) || enroll(target)) ++set_.of(target).inner;
        });
    }

    bool scan(std::size_t& budget) {
        const bool over = over_members(budget, [&](std::uint32_t i) {
            set_member& m = set_[i];
            if (m.node && !m.lives && m.node->count() != m.inner) set_.keep(m, work_);
        });
        for (; work_ != no_place && budget != 0; --budget)
            set_.keep_targets_of_next(work_, trial_set::any_group);
        return over && work_ == no_place;
    }

    // From here on the `inner` of a group's first member is the head of the group's list.
    void join_targets(std::uint32_t place) {
        set_member& m = set_[place];
        if (m.lives) return;
        m.inner = no_place;
        if (!m.node) return;
        set_.for_each_target(*m.node, trial_set::any_group, [&](const set_member& target) {
            if (!target.lives) set_.join(target.node->index - 1, place);
        });
    }
    void chain_to_group(std::uint32_t place) {
        set_member& m = set_[place];
        if (m.lives || !m.node) return;
        m.group = set_.group_of(place);
        m.next = std::exchange(set_[m.group].inner, place);
    }

    std::size_t judge_groups(std::size_t& budget) {
        const std::size_t ended_before = ended_;
        while (budget != 0 && place_ < set_.size()) {
            const set_member& m = set_[place_];
            const auto group = static_cast<std::uint32_t>(place_++);
            --budget;
            if (m.lives || m.group != group) continue;
            const std::uint32_t first = m.inner;
            set_.count_edges(first, group);
            budget -= smaller(budget, cost_of_judging * judge(first, group));
        }
        if (place_ == set_.size()) enter(phase::dismiss);
        return ended_ - ended_before;
    }

    // Destroys the garbage in the list, whose edges must be counted. Returns the list's length.
    std::size_t judge(std::uint32_t first, std::uint32_t group) {
        set_.find_living(first, group);
        std::size_t length = 0;
        std::uint32_t garbage = no_place;
        for (std::uint32_t i = first; i < set_.size(); ++length) {
            set_member& m = set_[i];
            const std::uint32_t place = std::exchange(i, m.next);
            if (!m.node || m.lives) continue;
            m.next = std::exchange(garbage, place);
            m.node->index = 0;
            m.node->clear(cyclic_node::in_set);
            m.node->set(cyclic_node::dead);
        }
        // As in nursery.hpp: no destructor can reach an object whose destructor has run.
        set_.for_each(garbage, [](set_member& m) {
            for_each_edge(*m.node, [](cyclic_handle& edge) {
                if (edge.node->is(cyclic_node::dead)) edge = {};
            });
        });
        set_.for_each(garbage, [&](set_member& m) {
            ++ended_;
            heap_.end(*std::exchange(m.node, nullptr));
        });
        heap_.end_pending();
        return length;
    }

    void dismiss(set_member& m) noexcept {
        cyclic_node* const n = std::exchange(m.node, nullptr);
        if (!n) return;
        n->index = 0;
        n->clear(cyclic_node::in_set);
        if (!m.reported) return;
        n->watch();
        candidates_.add(*n);
    }

    Heap& heap_;
    candidate_list& candidates_;
    candidate_list& young_candidates_;
    trial_set set_;
    phase phase_ = phase::idle;
    std::size_t place_ = 0;          // how far the phase has come
    std::uint32_t work_ = no_place;  // of the phase `scan`
    std::size_t ended_ = 0;          // by the analysis under way, or the last
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
