// SPDX-License-Identifier: BSL-1.0
#include "facts.hpp"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <list>
#include <numeric>

namespace freehold::check {
namespace {

// Above these limits the analysis keeps fewer facts. Then it can only find less.
constexpr std::size_t most_ranges = 24;
constexpr std::size_t most_equalities = 48;
constexpr std::size_t most_comparisons = 10;

bool contains_any(const polynomial& value, const std::vector<atom>& atoms) {
    return std::any_of(atoms.begin(), atoms.end(), [&](atom each) { return value.contains(each); });
}

/// Proves that a value is not negative: the value must be a sum of values that are known not to be.
struct proof {
    std::vector<const polynomial*> known;
    std::vector<atom> not_negative;  // Sorted.
    std::int64_t& work_left;

    [[nodiscard]] bool is_product(const polynomial::product& atoms) const {
        return std::all_of(atoms.begin(), atoms.end(), [&](atom each) {
            return std::binary_search(not_negative.begin(), not_negative.end(), each);
        });
    }

    // NOLINTNEXTLINE(misc-no-recursion): `depth` ends it.
    [[nodiscard]] bool of(const polynomial& value, int depth) const {
        if (!value.is_known()) return false;
        // The term that must be cancelled: a negative one, or one of unknown sign.
        const std::pair<const polynomial::product, std::int64_t>* target = nullptr;
        for (const auto& term : value.terms()) {
            if (term.first.empty() || (term.second > 0 && is_product(term.first))) continue;
            if (target == nullptr || (term.second < 0 && target->second > 0)) target = &term;
        }
        if (target != nullptr) return depth > 0 && takes(value, *target, depth);
        if (value.constant_term() >= 0) return true;
        return depth > 0 &&
               std::any_of(value.terms().begin(), value.terms().end(), [&](const auto& term) {
                   return !term.first.empty() && takes(value, term, depth);
               });
    }

    // NOLINTNEXTLINE(misc-no-recursion)
    [[nodiscard]] bool takes(const polynomial& value,
                             const std::pair<const polynomial::product, std::int64_t>& target,
                             int depth) const {
        for (const polynomial* fact : known) {
            if (--work_left < 0) return false;
            for (const auto& [atoms, coefficient] : fact->terms()) {
                if ((coefficient < 0) != (target.second < 0) ||
                    (atoms.empty() && target.first.size() > 1) ||
                    !std::includes(target.first.begin(), target.first.end(), atoms.begin(),
                                   atoms.end()))
                    continue;
                polynomial::product factor;
                std::set_difference(target.first.begin(), target.first.end(), atoms.begin(),
                                    atoms.end(), std::back_inserter(factor));
                if (!is_product(factor)) continue;
                const std::int64_t common = std::gcd(coefficient, target.second);
                const polynomial rest = value.times({}, std::abs(coefficient / common)) -
                                        fact->times(factor, std::abs(target.second / common));
                if (of(rest, depth - 1)) return true;
            }
        }
        return false;
    }
};

}  // namespace

polynomial facts::normal(const polynomial& value) const {
    polynomial result = value;
    for (const atom each : value.atoms()) {
        const auto found = equal_.find(each);
        if (found != equal_.end()) result = result.replaced(each, found->second);
    }
    return result;
}

bool facts::at_least_zero(const polynomial& value) const {
    const polynomial wanted = normal(value);
    if (const auto constant = wanted.constant()) return *constant >= 0;
    constexpr int depth = 4;
    std::int64_t unlimited = std::numeric_limits<std::int64_t>::max();
    std::int64_t& work = work_left != nullptr ? *work_left : unlimited;
    if (work < 0) return false;
    proof by{{}, {}, work};
    std::list<polynomial> normal_axioms;
    for (const polynomial& each : at_least_zero_) by.known.push_back(&each);
    if (axioms != nullptr) {
        work -= static_cast<std::int64_t>(axioms->size());
        for (const polynomial& each : *axioms) {
            const bool is_normal =
                std::all_of(each.terms().begin(), each.terms().end(), [&](const auto& term) {
                    return std::all_of(term.first.begin(), term.first.end(),
                                       [&](atom which) { return equal_.count(which) == 0; });
                });
            const polynomial& axiom = is_normal ? each : normal_axioms.emplace_back(normal(each));
            const auto& terms = axiom.terms();
            const bool is_atom =
                terms.size() == 1 && terms.begin()->first.size() == 1 && terms.begin()->second == 1;
            if (is_atom)
                by.not_negative.push_back(terms.begin()->first[0]);
            else
                by.known.push_back(&axiom);
        }
    }
    std::sort(by.not_negative.begin(), by.not_negative.end());
    return by.of(wanted, depth);
}

bool facts::is_covered(const byte_range& range) const {
    if (!live) return true;
    polynomial low = normal(range.low);
    polynomial high = normal(range.high);
    if (at_least_zero(low - high)) return true;
    if (at_least_zero(zeroed.low - high) || at_least_zero(low - zeroed.high)) return true;
    if (at_least_zero(zeroed.low - low)) low = zeroed.low;
    if (at_least_zero(high - zeroed.high)) high = zeroed.high;
    std::vector<bool> used(covered.size());
    return is_chained(low, high, used);
}

bool facts::is_chained(const polynomial& low, const polynomial& high,
                       std::vector<bool>& used) const {
    for (std::size_t i = 0; i < covered.size(); ++i) {
        byte_range each = covered[i];
        join_pieces(each, joining::if_sure);
        // Bytes below or above the zeroed bytes were never zeroed.
        if (used[i] || !each.is_one() ||
            !(each.low == low || at_least_zero(low - each.low) ||
              at_least_zero(zeroed.low - each.low)))
            continue;
        if (at_least_zero(each.high - high) || at_least_zero(each.high - zeroed.high)) return true;
        if (at_least_zero(each.low - each.high - 1)) continue;
        used[i] = true;
        if (is_chained(each.high, high, used)) return true;
    }
    return false;
}

bool facts::has_written_up_to(const polynomial& end) const {
    return std::any_of(covered.begin(), covered.end(), [&](const byte_range& each) {
        return each.is_one() && at_least_zero(polynomial() - each.low) &&
               at_least_zero(each.high - end);
    });
}

void facts::shrink_to(const polynomial& end) {
    zeroed.high = normal(end);
    std::erase_if(covered, [&](byte_range& each) {
        if (each.is_one() && at_least_zero(each.high - zeroed.high)) each.high = zeroed.high;
        return !each.is_one() || !at_least_zero(zeroed.high - each.high);
    });
}

void facts::cover(const byte_range& range) {
    if (!live || covered.size() >= most_ranges) return;
    byte_range added = range;
    added.for_each_part([&](polynomial& part) { part = normal(part); });
    if (!added.is_known()) return;
    covered.push_back(std::move(added));
    merge_covered(joining::if_sure);
}

void facts::join_pieces(byte_range& range, joining how) const {
    if (range.is_one()) return;
    const bool any = how == joining::if_sure ? at_least_zero(range.count)
                                             : !at_least_zero(polynomial() - range.count - 1);
    if (!any) return;
    const polynomial sum = range.stride * range.count;
    if (at_least_zero(range.size() - range.stride) && at_least_zero(range.stride))
        range = {range.low, range.low + sum};
    else if (at_least_zero(range.size() + range.stride) &&
             at_least_zero(polynomial() - range.stride))
        range = {range.high + sum, range.high};
}

bool facts::merge(byte_range& a, const byte_range& b, joining how) const {
    if (!(a.stride == b.stride && a.count == b.count)) {
        // The pieces of `b` directly follow those of `a`.
        const polynomial stride = a.is_one() ? b.stride : a.stride;
        if (!(a.size() == b.size()) || !(b.low == a.low + stride * a.count) ||
            !(b.is_one() || b.stride == stride))
            return false;
        a.stride = stride;
        a.count += b.count;
        return true;
    }
    if (!at_least_zero(a.high - b.low)) return false;
    // Every byte from a.low up to b.high is in one of the two ranges.
    const auto joins = [&] {
        return how == joining::if_sure ? at_least_zero(b.high - b.low)
                                       : !at_least_zero(b.low - b.high - 1);
    };
    if ((a.high == b.low && joins()) || at_least_zero(b.high - a.high)) {
        a.high = b.high;
        return true;
    }
    return at_least_zero(a.high - b.high) && at_least_zero(b.low - a.low);
}

void facts::merge_covered(joining how) {
    for (byte_range& each : covered) join_pieces(each, how);
    for (std::size_t i = 0; i < covered.size(); ++i) {
        for (std::size_t j = 0; j < covered.size(); ++j) {
            if (i == j || !merge(covered[i], covered[j], how)) continue;
            join_pieces(covered[i], how);
            covered.erase(covered.begin() + static_cast<std::ptrdiff_t>(j));
            i = static_cast<std::size_t>(-1);
            break;
        }
    }
    std::sort(covered.begin(), covered.end());
}

void facts::end() {
    live = false;
    padding_left = false;
    zeroed = {};
    covered.clear();
}

void facts::replace(atom which, const polynomial& value) {
    for (auto& each : equal_) each.second = each.second.replaced(which, value);
    for (polynomial& each : at_least_zero_) each = each.replaced(which, value);
    for (promise& each : promises_) each.zero = each.zero.replaced(which, value);
    zeroed = {zeroed.low.replaced(which, value), zeroed.high.replaced(which, value)};
    for (byte_range& each : covered)
        each.for_each_part([&](polynomial& part) { part = part.replaced(which, value); });
    drop_unknown();
    std::sort(covered.begin(), covered.end());
}

/// Facts about numbers that are too large for the analysis are lost.
void facts::drop_unknown() {
    std::erase_if(equal_, [](const auto& each) { return !each.second.is_known(); });
    std::erase_if(at_least_zero_, [](const polynomial& each) { return !each.is_known(); });
    std::erase_if(promises_, [](const promise& each) { return !each.zero.is_known(); });
    std::erase_if(covered, [](const byte_range& each) { return !each.is_known(); });
}

void facts::forget(atom which, const std::function<atom()>& fresh) {
    failed_streams.erase(which);
    promises_.erase(std::remove_if(promises_.begin(), promises_.end(),
                                   [&](const promise& each) { return each.status == which; }),
                    promises_.end());
    if (equal_.erase(which) != 0) return;
    // A read that failed wrote nothing, so the bytes before it are unchanged.
    const bool is_in_range =
        std::any_of(covered.begin(), covered.end(),
                    [&](const byte_range& each) { return each.contains(which); });
    if (is_in_range) merge_covered(joining::unless_absurd);
    // An atom with a value that depends on this one can take its place.
    for (const auto& [other, value] : equal_) {
        const std::int64_t coefficient = value.linear_coefficient(which);
        if (coefficient != 1 && coefficient != -1) continue;
        const polynomial rest = value - polynomial(coefficient) * polynomial::of(which);
        const polynomial solved = polynomial(coefficient) * (polynomial::of(other) - rest);
        equal_.erase(other);
        replace(which, solved);
        return;
    }
    bound_ranges({which}, true);
    const auto has = [&](const polynomial& value) { return value.contains(which); };
    for (polynomial* bound : {&zeroed.low, &zeroed.high}) {
        if (!has(*bound)) continue;
        const polynomial old = *bound;
        const polynomial name = polynomial::of(fresh());
        *bound = name;
        for (byte_range& each : covered) {
            if (each.low == old) each.low = name;
            if (each.high == old) each.high = name;
        }
    }
    for (auto each = equal_.begin(); each != equal_.end();)
        each = has(each->second) ? equal_.erase(each) : std::next(each);
    covered.erase(std::remove_if(covered.begin(), covered.end(),
                                 [&](const byte_range& each) { return each.contains(which); }),
                  covered.end());
    at_least_zero_.erase(std::remove_if(at_least_zero_.begin(), at_least_zero_.end(), has),
                         at_least_zero_.end());
    promises_.erase(std::remove_if(promises_.begin(), promises_.end(),
                                   [&](const promise& each) { return has(each.zero); }),
                    promises_.end());
}

void facts::assign(atom which, const polynomial& value, const std::function<atom()>& fresh) {
    const polynomial next = normal(value);
    if (next.contains(which)) {
        const polynomial step = next - polynomial::of(which);
        if (step.contains(which))
            forget(which, fresh);
        else
            replace(which, polynomial::of(which) - step);
        return;
    }
    forget(which, fresh);
    const polynomial known = normal(next);
    if (known.is_known() && equal_.size() < most_equalities) equal_[which] = known;
}

bool facts::equate_to_zero(const polynomial& value) {
    polynomial left = normal(value);
    if (const auto constant = left.constant()) return *constant == 0;
    const std::vector<atom> atoms = left.atoms();
    for (auto each = atoms.rbegin(); each != atoms.rend(); ++each) {
        const std::int64_t coefficient = left.linear_coefficient(*each);
        if (coefficient == 0) continue;
        const auto quotient = left.divided(coefficient);
        if (!quotient) continue;
        const polynomial solved = polynomial::of(*each) - *quotient;
        replace(*each, solved);
        if (equal_.size() < most_equalities) equal_[*each] = solved;
        return true;
    }
    know_at_least_zero(left);
    know_at_least_zero(polynomial() - left);
    return true;
}

bool facts::keep_promises(const polynomial& value, relation how) {
    for (std::size_t i = 0; i < promises_.size();) {
        const promise each = promises_[i];
        const polynomial status = normal(polynomial::of(each.status));
        const auto constant = status.constant();
        bool succeeded = false;
        bool failed = false;
        switch (each.how) {
            case success::if_zero:
                succeeded = constant && *constant == 0;
                failed = constant && *constant != 0;
                break;
            case success::if_nonzero:
                succeeded = (constant && *constant != 0) ||
                            (how == relation::unequal &&
                             (value == status || value == polynomial() - status)) ||
                            at_least_zero(status - 1);
                failed = constant && *constant == 0;
                break;
            case success::if_not_negative:
                succeeded = at_least_zero(status);
                failed = constant && *constant < 0;
                break;
        }
        if (!succeeded && !failed) {
            ++i;
            continue;
        }
        promises_.erase(promises_.begin() + static_cast<std::ptrdiff_t>(i));
        if (succeeded && !equate_to_zero(each.zero)) return false;
        i = 0;
    }
    return true;
}

bool facts::assume(const polynomial& value, relation how, bool keeps_atoms) {
    if (how == relation::unequal &&
        std::any_of(failed_streams.begin(), failed_streams.end(),
                    [&](atom each) { return value == polynomial::of(each); }))
        return false;
    const polynomial left = normal(value);
    if (const auto constant = left.constant()) {
        switch (how) {
            case relation::equal:
                return *constant == 0;
            case relation::unequal:
                return *constant != 0;
            case relation::at_least:
                return *constant >= 0;
            case relation::above:
                return *constant > 0;
        }
    }
    switch (how) {
        case relation::equal:
            if (at_least_zero(left - 1) || at_least_zero(polynomial() - left - 1)) return false;
            // Two variables that are equal by chance keep their own atoms, because each may change
            // alone.
            if (left.atoms().size() == 1) {
                if (!equate_to_zero(left)) return false;
            } else {
                know_at_least_zero(left);
                know_at_least_zero(polynomial() - left);
            }
            break;
        case relation::unequal:
            if (at_least_zero(left))
                know_at_least_zero(left - 1);
            else if (at_least_zero(polynomial() - left))
                know_at_least_zero(polynomial() - left - 1);
            break;
        case relation::at_least:
        case relation::above: {
            const polynomial least = how == relation::above ? left - 1 : left;
            if (at_least_zero(polynomial() - least - 1)) return false;
            // Both comparisons together allow only one value.
            if ((!keeps_atoms || least.atoms().size() == 1) &&
                at_least_zero(polynomial() - least)) {
                if (!equate_to_zero(least)) return false;
            } else {
                know_at_least_zero(least);
            }
            break;
        }
    }
    return keep_promises(left, how);
}

void facts::promise_if(promise given) {
    given.zero = normal(given.zero);
    if (given.zero.is_known()) promises_.push_back(std::move(given));
}

void facts::know_at_least_zero(const polynomial& value) {
    const polynomial fact = normal(value).reduced();
    if (!fact.is_known() || fact.constant() ||
        std::find(at_least_zero_.begin(), at_least_zero_.end(), fact) != at_least_zero_.end())
        return;
    if (at_least_zero_.size() >= most_comparisons) at_least_zero_.erase(at_least_zero_.begin());
    at_least_zero_.push_back(fact);
}

void facts::bound_ranges(const std::vector<atom>& which, bool are_gone) {
    for (const atom each : which) {
        const bool is_related =
            !are_gone && (equal_.count(each) != 0 ||
                          std::any_of(equal_.begin(), equal_.end(), [&](const auto& other) {
                              return other.second.contains(each);
                          }));
        if (is_related) continue;
        for (const polynomial& fact : at_least_zero_) {
            const std::int64_t in_fact = fact.linear_coefficient(each);
            if (in_fact != 1 && in_fact != -1) continue;
            for (byte_range& range : covered) {
                for (polynomial* end : {&range.high, &range.count}) {
                    const polynomial factor = polynomial(in_fact) * end->factor_of(each);
                    if (!(factor == polynomial()) && at_least_zero(factor)) *end -= factor * fact;
                }
            }
        }
    }
    drop_unknown();
    merge_covered(joining::if_sure);
}

void facts::forget_values(const std::vector<atom>& changed, const facts* entry) {
    for (auto each = equal_.begin(); each != equal_.end();) {
        const bool is_value =
            std::find(changed.begin(), changed.end(), each->first) != changed.end() &&
            !contains_any(each->second, changed) &&
            !(entry != nullptr &&
              entry->normal(polynomial::of(each->first)) == entry->normal(each->second));
        each = is_value ? equal_.erase(each) : std::next(each);
    }
    // What is 0 in each pass, such as `3 * read - 4 * written`, was so when the loop began.
    const auto is_steady = [&, known = at_least_zero_](const polynomial& each) {
        return entry != nullptr && entry->normal(each) == polynomial() &&
               std::find(known.begin(), known.end(), polynomial() - each) != known.end();
    };
    std::erase_if(at_least_zero_, [&](const polynomial& each) {
        return contains_any(each, changed) && !is_steady(each);
    });
}

bool facts::same_object_state(const facts& other) const {
    return std::tie(live, zeroed, covered, failed_streams, padding_left) ==
           std::tie(other.live, other.zeroed, other.covered, other.failed_streams,
                    other.padding_left);
}

bool facts::implies(const facts& other) const {
    return same_object_state(other) &&
           std::all_of(other.equal_.begin(), other.equal_.end(),
                       [&](const auto& each) {
                           return normal(polynomial::of(each.first)) == normal(each.second);
                       }) &&
           std::all_of(other.at_least_zero_.begin(), other.at_least_zero_.end(),
                       [&](const polynomial& each) { return at_least_zero(each); }) &&
           std::all_of(other.promises_.begin(), other.promises_.end(), [&](const promise& each) {
               return std::find(promises_.begin(), promises_.end(), each) != promises_.end();
           });
}

void facts::weaken_to(const facts& other) {
    for (auto each = failed_streams.begin(); each != failed_streams.end();)
        each =
            other.failed_streams.count(*each) == 0 ? failed_streams.erase(each) : std::next(each);
    // A relation between atoms may hold in both, even if the known values of the atoms differ.
    std::vector<polynomial> relations;
    for (const auto& [which, value] : other.equal_)
        if (normal(polynomial::of(which)) == normal(value))
            relations.push_back(polynomial::of(which) - value);
    // If the value is one number here and another there, it is at most the larger number in both.
    std::vector<polynomial> bounds;
    for (const auto& [which, value] : equal_) {
        const auto mine = value.constant();
        const auto others = other.normal(polynomial::of(which)).constant();
        if (!live && mine && others && *mine != *others)
            bounds.push_back(polynomial(std::max(*mine, *others)) - polynomial::of(which));
    }
    for (auto each = equal_.begin(); each != equal_.end();) {
        const bool both = other.normal(polynomial::of(each->first)) == other.normal(each->second);
        each = both ? std::next(each) : equal_.erase(each);
    }
    const auto keep_common = [](auto& mine, const auto& theirs) {
        mine.erase(std::remove_if(mine.begin(), mine.end(),
                                  [&](const auto& each) {
                                      return std::find(theirs.begin(), theirs.end(), each) ==
                                             theirs.end();
                                  }),
                   mine.end());
    };
    at_least_zero_.erase(
        std::remove_if(at_least_zero_.begin(), at_least_zero_.end(),
                       [&](const polynomial& each) { return !other.at_least_zero(each); }),
        at_least_zero_.end());
    keep_common(promises_, other.promises_);
    for (const polynomial& each : relations)
        if (!equate_to_zero(each)) equal_.clear();
    for (const polynomial& each : bounds) know_at_least_zero(each);
}

void add_state(std::vector<facts>& states, facts state) {
    if (std::find(states.begin(), states.end(), state) == states.end())
        states.push_back(std::move(state));
}

}  // namespace freehold::check
