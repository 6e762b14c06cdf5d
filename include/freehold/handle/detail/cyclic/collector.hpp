// SPDX-License-Identifier: BSL-1.0
// What it is: the method of collection, and the choice of what to examine when. It finds cycles by
// trial deletion (Bacon & Rajan, "Concurrent Cycle Collection in Reference Counted Systems", ECOOP
// 2001) in two generations (as CPython's and Nim's collectors do).
//
// Invariant: if all owners of a subset's objects are edges from within that subset, the subset is
// garbage. This holds for whichever set of objects is examined. A set may therefore leave out
// objects that are known to live, or that a budget does not reach. That can hide garbage, never
// invent it. The edges from within are counted beside the objects' own counts, so that nothing has
// to be restored afterwards.
//
// Young objects are judged when there are enough candidates, without entering old ones. A
// long-lived head therefore costs nothing here, however often the program uses it. Old candidates
// wait until the heap has doubled since the last time when it had none, or until the reports since
// then are many times what an analysis would cost. That wait doubles whenever it was in vain.
#pragma once

#include <freehold/detail/rounding.hpp>
#include <freehold/handle/detail/cyclic/nursery.hpp>
#include <freehold/handle/detail/cyclic/old_generation.hpp>

#include <cstddef>
#include <cstdint>

namespace freehold::inline FREEHOLD_ABI::detail {

// Heap: `objects()`, the number alive, and what nursery.hpp asks for.
template <class Heap>
class cycle_collector {
public:
    explicit cycle_collector(Heap& heap) noexcept
        : heap_(heap),
          young_(heap, young_candidates_, old_candidates_),
          old_(heap, old_candidates_, young_candidates_) {}

    // Called when a handle to a watched object was released or moved. Other handles may be left.
    void report(cyclic_node& n) noexcept {
        ++reports_;
        if (n.is(cyclic_node::old)) {
            old_.report(n);
        } else {
            young_candidates_.add(n);
        }
    }

    // Called when the object is about to be destroyed.
    void forget(cyclic_node& n) noexcept {
        if (n.index == 0) return;
        if (n.is(cyclic_node::old)) {
            old_.forget(n);
        } else {
            young_candidates_.remove(n);
        }
    }

    [[nodiscard]] bool is_due() const noexcept { return reports_ >= reports_between_slices; }
    [[nodiscard]] std::size_t candidates() const noexcept {
        return young_candidates_.size() + old_candidates_.size();
    }
    [[nodiscard]] bool is_idle() const noexcept { return candidates() == 0 && old_.is_idle(); }
    [[nodiscard]] std::size_t examined() const noexcept { return examined_; }

    // Examines about `budget` objects. The program asked for `granted` of them; a larger number
    // makes the collector examine old candidates earlier. Returns the number of objects destroyed.
    std::size_t collect_slice(std::size_t budget, std::size_t granted) {
        if (old_.is_idle() && old_candidates_.empty()) objects_then_ = heap_.objects();
        reports_then_ += reports_;
        granted_then_ += granted;
        std::size_t ended = collect_young(budget);
        if (old_.is_idle() && old_is_due()) begin_old();
        while (!old_.is_idle() && budget != 0) {
            ended += charged_to_old(budget, [&] { return old_.advance(budget); });
        }
        return ended;
    }
    [[gnu::noinline, gnu::cold]] void collect_slice_when_due() {
        collect_slice(budget_of_slice, 0);
    }

    // Destroys all objects that can be reached from a candidate, and from no handle outside of such
    // objects. Returns the number of objects destroyed.
    std::size_t collect_all() {
        std::size_t ended = 0;
        for (std::size_t last = 1; last != 0 && !is_idle(); ended += last) {
            std::size_t budget = SIZE_MAX;
            last = collect_young(budget);
            if (old_.is_idle() && old_candidates_.empty()) continue;
            if (old_.is_idle()) begin_old();
            last += charged_to_old(budget, [&] { return old_.finish(budget); });
        }
        return ended;
    }

private:
    // Measured: the memory that a slice of young objects touches fits into a second-level cache of
    // 1 MiB. A slice takes about 0.1 ms.
    static constexpr std::size_t reports_between_slices = 512;
    static constexpr std::size_t budget_of_slice = 4096;
    static constexpr std::size_t growth_without_a_look = 4096;
    static constexpr std::size_t most_steps_for_an_object = 6;
    static constexpr std::size_t least_patience = 16;
    static constexpr std::size_t most_patience = 1024;

    std::size_t collect_young(std::size_t& budget) {
        reports_ = 0;
        const auto [examined, ended] = young_.collect(budget);
        budget -= smaller(budget, examined);
        examined_ += examined;
        return ended;
    }

    // What `step` takes from the budget is the cost of the analysis of old candidates under way.
    template <class Step>
    std::size_t charged_to_old(const std::size_t& budget, Step step) {
        const std::size_t before = budget;
        const std::size_t ended = step();
        old_cost_ += before - budget;
        examined_ += before - budget;
        if (old_.is_idle()) note_old_done();
        return ended;
    }

    [[nodiscard]] bool old_is_due() const noexcept {
        if (old_candidates_.empty()) return false;
        const std::size_t objects = heap_.objects();
        const std::size_t cost = smaller(old_cost_, most_steps_for_an_object * objects) + 1;
        return objects >= 2 * objects_then_ + growth_without_a_look ||
               reports_then_ / cost >= patience_ || granted_then_ / cost >= least_patience / 8;
    }
    void begin_old() noexcept {
        old_cost_ = 0;
        old_.begin();
    }
    void note_old_done() noexcept {
        const bool in_vain = old_.ended() < old_cost_ / 32;
        patience_ = in_vain ? smaller(patience_ * 2, most_patience) : least_patience;
        objects_then_ = heap_.objects();
        reports_then_ = granted_then_ = 0;
    }

    Heap& heap_;
    candidate_list young_candidates_;
    candidate_list old_candidates_;
    nursery<Heap> young_;
    old_generation<Heap> old_;
    std::size_t reports_ = 0;  // since the last slice
    std::size_t examined_ = 0;

    // Since, or of, the last time when no old candidate was left to look at.
    std::size_t objects_then_ = 0;
    std::size_t reports_then_ = 0;
    std::size_t granted_then_ = 0;
    std::size_t old_cost_ = SIZE_MAX;
    std::size_t patience_ = least_patience;
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
