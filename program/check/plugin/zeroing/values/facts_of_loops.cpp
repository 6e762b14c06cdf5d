// SPDX-License-Identifier: BSL-1.0
// What facts know after any number of passes of a loop.
#include "facts.hpp"

#include <algorithm>
#include <cstdlib>

namespace freehold::check {

void facts::generalise(const facts& entry, const std::vector<atom>& changed,
                       const std::vector<column_write>& columns) {
    merge_covered(joining::unless_absurd);
    bound_ranges(changed, false);
    merge_covered(joining::unless_absurd);
    // The changes of the other variables and of the ranges are multiples of this variable's step.
    struct candidate {
        atom variable = 0;
        polynomial start;
        std::int64_t step = 0;
    };
    std::vector<candidate> candidates;
    // The loop's own counter is often the newest variable.
    for (auto at = changed.rbegin(); at != changed.rend(); ++at) {
        const atom each = *at;
        const auto found = equal_.find(each);
        if (found == equal_.end()) continue;
        const polynomial before = entry.normal(polynomial::of(each));
        if (before.contains(each)) continue;
        const auto difference = (found->second - before).constant();
        if (difference && *difference != 0) candidates.push_back({each, before, *difference});
    }
    if (candidates.empty()) return;
    std::stable_sort(
        candidates.begin(), candidates.end(),
        [](const candidate& a, const candidate& b) { return std::abs(a.step) < std::abs(b.step); });
    const auto is_old = [&](const byte_range& range) {
        return std::find(entry.covered.begin(), entry.covered.end(), range) != entry.covered.end();
    };
    for (byte_range& now : covered) {
        if (is_old(now) || !now.is_one()) continue;
        for (const column_write& each : columns) {
            const auto of = std::find_if(
                candidates.begin(), candidates.end(),
                [&](const candidate& other) { return other.variable == each.variable; });
            if (of == candidates.end() || !(normal(each.size) == now.size())) continue;
            const polynomial slope = normal(each.slope);
            const polynomial distance = polynomial::of(each.variable) - of->start;
            if (slope * polynomial(of->step) == now.size()) {
                now.high = now.low + slope * distance;
                break;
            }
            if (std::abs(of->step) != 1) continue;
            now.stride = slope * polynomial(of->step);
            now.count = distance * polynomial(of->step);
            break;
        }
    }
    const auto is_column = [&](const byte_range& range) {
        return std::any_of(candidates.begin(), candidates.end(), [&](const candidate& each) {
            return range.count.contains(each.variable) || range.high.contains(each.variable);
        });
    };
    // The range at the beginning of the pass.
    const auto earlier = [&](const byte_range& now, std::int64_t step) {
        const auto before =
            std::find_if(entry.covered.begin(), entry.covered.end(), [&](const byte_range& each) {
                return each.count == now.count && each.stride == now.stride &&
                       (entry.normal(each.low) == now.low || entry.normal(each.high) == now.high);
            });
        if (before != entry.covered.end()) return *before;
        // A new range grows away from the end of the object that it touches. Otherwise it grows
        // with the variable.
        const bool downwards = !(now.low == zeroed.low) && (now.high == zeroed.high || step < 0);
        return downwards ? byte_range{now.high, now.high} : byte_range{now.low, now.low};
    };
    const auto suits = [&](const candidate& each) {
        return std::all_of(covered.begin(), covered.end(), [&](const byte_range& now) {
            if (is_old(now) || is_column(now)) return true;
            const byte_range then = earlier(now, each.step);
            return (now.low - then.low).divided(each.step).has_value() &&
                   (now.high - then.high).divided(each.step).has_value();
        });
    };
    auto chosen = std::find_if(candidates.begin(), candidates.end(), suits);
    if (chosen == candidates.end()) chosen = candidates.begin();
    const auto& [variable, start, step] = *chosen;
    const polynomial distance = polynomial::of(variable) - start;
    // The value as a function of the variable: `before` at the start, and `now` after one step. It
    // is `now` if there is no such function.
    const auto moved = [&, step = step](const polynomial& before, const polynomial& now) {
        const auto each_step = (now - before).divided(step);
        return each_step ? before + *each_step * distance : now;
    };
    equal_.erase(variable);
    // A pass moves some variables by steps that are no multiples of this one: 4 bytes are read, and
    // 3 written.
    std::vector<polynomial> zeroes;
    for (auto at = equal_.begin(); at != equal_.end();) {
        const auto current = at++;
        auto& [each, value] = *current;
        if (std::find(changed.begin(), changed.end(), each) == changed.end()) continue;
        const polynomial before = entry.normal(polynomial::of(each));
        if (before.contains(each)) continue;
        const polynomial change = value - before;
        if (!change.constant() || change.divided(step)) {
            value = moved(before, value);
            continue;
        }
        zeroes.push_back(polynomial(step) * (polynomial::of(each) - before) - change * distance);
        equal_.erase(current);
    }
    for (const polynomial& each : zeroes) {
        know_at_least_zero(each);
        know_at_least_zero(polynomial() - each);
    }
    for (byte_range& now : covered) {
        if (is_old(now) || is_column(now)) continue;
        const byte_range then = earlier(now, step);
        now = {moved(then.low, now.low), moved(then.high, now.high), now.stride, now.count};
    }
    drop_unknown();
    std::sort(covered.begin(), covered.end());
}

std::vector<column_write> facts::columns(const facts& entry,
                                         const std::vector<atom>& changed) const {
    std::vector<column_write> result;
    for (const byte_range& each : covered) {
        if (!each.is_one() ||
            std::find(entry.covered.begin(), entry.covered.end(), each) != entry.covered.end())
            continue;
        for (const atom variable : changed) {
            const polynomial slope = each.low.factor_of(variable);
            if (slope == polynomial() || !(slope == each.high.factor_of(variable))) continue;
            result.push_back({variable, slope, each.size()});
        }
    }
    return result;
}

}  // namespace freehold::check
