// SPDX-License-Identifier: BSL-1.0
// What is known about one zeroed object at one point of the program, on some of the paths to it:
// which of its bytes have been overwritten, and how the sizes and positions in the program are
// related. Bytes are counted from the object's first one. The data-flow analysis (flow.hpp) keeps a
// set of these at each point. So `if (got != size) return;` separates a short read from a complete
// one.
#pragma once

#include "polynomial.hpp"

#include <functional>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

namespace freehold::check {

/// The bytes from low up to, but not including, high. If `count` is not 1, there are `count` such
/// pieces at distances of `stride`, as a loop over a column of a table writes them.
struct byte_range {
    polynomial low;
    polynomial high;
    polynomial stride;
    polynomial count = 1;

    byte_range() = default;
    byte_range(polynomial from, polynomial to, polynomial step = {}, polynomial pieces = 1)
        : low(std::move(from)),
          high(std::move(to)),
          stride(std::move(step)),
          count(std::move(pieces)) {}
    [[nodiscard]] bool is_known() const {
        return low.is_known() && high.is_known() && stride.is_known() && count.is_known();
    }
    [[nodiscard]] bool is_one() const { return count == polynomial(1); }
    [[nodiscard]] polynomial size() const { return high - low; }
    template <class Function>
    void for_each_part(Function function) {
        for (polynomial* each : {&low, &high, &stride, &count}) function(*each);
    }
    [[nodiscard]] bool contains(atom which) const {
        return low.contains(which) || high.contains(which) || stride.contains(which) ||
               count.contains(which);
    }
    [[nodiscard]] auto key() const { return std::tie(low, high, stride, count); }
    friend bool operator==(const byte_range& a, const byte_range& b) { return a.key() == b.key(); }
    friend bool operator<(const byte_range& a, const byte_range& b) { return a.key() < b.key(); }
};

/// A result of an earlier look at a loop: if the variable grows by one, a write of this size moves
/// by `slope` bytes.
struct column_write {
    atom variable;
    polynomial slope;
    polynomial size;
    friend bool operator==(const column_write& a, const column_write& b) {
        return a.variable == b.variable && a.slope == b.slope && a.size == b.size;
    }
};

/// How a condition's value compares with 0.
enum class relation { equal, unequal, at_least, above };

/// How a call reports that it filled its buffer.
enum class success { if_zero, if_nonzero, if_not_negative };

/// If `status` reports success, `zero` is 0.
struct promise {
    atom status;
    success how;
    polynomial zero;
    friend bool operator==(const promise& a, const promise& b) {
        return a.status == b.status && a.how == b.how && a.zero == b.zero;
    }
    friend bool operator<(const promise& a, const promise& b) {
        return std::tie(a.status, a.how, a.zero) < std::tie(b.status, b.how, b.zero);
    }
};

class facts {
    [[nodiscard]] auto key() const {
        return std::tie(live, zeroed, covered, failed_streams, padding_left, equal_, at_least_zero_,
                        promises_);
    }

public:
    /// The object exists, and its bytes in `zeroed` have been zeroed. The ranges in `covered` have
    /// been overwritten, or have never been zeroed.
    bool live = false;
    byte_range zeroed;
    std::vector<byte_range> covered;
    /// Streams that have failed, and do nothing until they are cleared. Their atoms are 0.
    std::set<atom> failed_streams;
    /// Values that are never negative in the whole analysis. May be null.
    const std::vector<polynomial>* axioms = nullptr;
    /// The steps that the analysis may still take. Without them, nothing is proved. May be null.
    std::int64_t* work_left = nullptr;
    /// Some padding within `covered` was assumed to be overwritten.
    bool padding_left = false;

    [[nodiscard]] polynomial normal(const polynomial& value) const;
    /// True if the value cannot be negative.
    [[nodiscard]] bool at_least_zero(const polynomial& value) const;
    /// True if the program has tested that the atom is not negative. That an unsigned variable with
    /// its value is not negative proves nothing.
    [[nodiscard]] bool is_tested_at_least_zero(atom which) const {
        facts tested = *this;
        tested.axioms = nullptr;
        return tested.at_least_zero(polynomial::of(which));
    }
    /// True if the value is one number, which is negative.
    [[nodiscard]] bool is_negative(const polynomial& value) const {
        const auto constant = normal(value).constant();
        return constant && *constant < 0;
    }
    /// True if each zeroed byte of the range has been overwritten.
    [[nodiscard]] bool is_covered(const byte_range& range) const;
    [[nodiscard]] bool is_all_covered() const { return is_covered(zeroed); }

    /// True if the program has written all bytes before this one, so the object has them.
    [[nodiscard]] bool has_written_up_to(const polynomial& end) const;

    void cover(const byte_range& range);
    /// The object has only the bytes before this one from now on.
    void shrink_to(const polynomial& end);
    /// Ends the object. From then on, nothing is zeroed.
    void end();

    /// The atom's value is no longer known. `fresh` makes a new atom for the old value if one is
    /// needed.
    void forget(atom which, const std::function<atom()>& fresh);
    /// The atom gets this value. The value may contain the atom itself, which then means the old
    /// value.
    void assign(atom which, const polynomial& value, const std::function<atom()>& fresh);
    /// Returns false if the value cannot compare with 0 in this way. Then this path does not exist.
    /// If two comparisons make variables equal, one replaces the other, unless they keep their
    /// atoms.
    [[nodiscard]] bool assume(const polynomial& value, relation how, bool keeps_atoms = false);
    void promise_if(promise given);
    /// Adds a fact that holds as long as its atoms keep their values.
    void know_at_least_zero(const polynomial& value);

    /// Rewrites the changes of the last pass of a loop as a function of a variable that the pass
    /// changed. For example, they become "i bytes" if i was 0 at the loop's entry and is 1 now.
    void generalise(const facts& entry, const std::vector<atom>& changed,
                    const std::vector<column_write>& columns);
    /// Forgets the values of the atoms that a pass of a loop changes. Keeps the relations between
    /// atoms, and what was true when the loop began.
    void forget_values(const std::vector<atom>& changed, const facts* entry);
    /// The writes of a pass of a loop that leave gaps before the writes of the next pass.
    [[nodiscard]] std::vector<column_write> columns(const facts& entry,
                                                    const std::vector<atom>& changed) const;

    /// True if the two differ only in what is known about values.
    [[nodiscard]] bool same_object_state(const facts& other) const;
    /// True if everything that holds in the other one also holds in this one.
    [[nodiscard]] bool implies(const facts& other) const;
    /// True if an end of the zeroed bytes depends on this atom.
    [[nodiscard]] bool is_end(atom which) const {
        return zeroed.low.contains(which) || zeroed.high.contains(which);
    }
    /// Keeps only what both know about values.
    void weaken_to(const facts& other);

    /// How much is known: what the step over a statement costs.
    [[nodiscard]] std::size_t size() const {
        return equal_.size() + at_least_zero_.size() + promises_.size() + covered.size();
    }

    friend bool operator==(const facts& a, const facts& b) { return a.key() == b.key(); }
    friend bool operator<(const facts& a, const facts& b) { return a.key() < b.key(); }

private:
    void replace(atom which, const polynomial& value);
    void drop_unknown();
    [[nodiscard]] bool equate_to_zero(const polynomial& value);
    [[nodiscard]] bool keep_promises(const polynomial& value, relation how);
    /// How two ranges join if the second begins where the first ends.
    enum class joining {
        if_sure,        ///< Only if the second cannot have a negative length.
        unless_absurd,  ///< Unless the second is known to have a negative length.
    };
    void merge_covered(joining how);
    /// Extends the first range by the second if possible. Returns whether it did.
    [[nodiscard]] bool merge(byte_range& a, const byte_range& b, joining how) const;
    /// Makes one piece of adjacent pieces.
    void join_pieces(byte_range& range, joining how) const;
    /// True if a sequence of ranges covers the bytes without gaps.
    [[nodiscard]] bool is_chained(const polynomial& low, const polynomial& high,
                                  std::vector<bool>& used) const;
    /// Replaces these atoms in the ends of ranges by the smallest value that the known comparisons
    /// allow.
    void bound_ranges(const std::vector<atom>& which, bool are_gone);

    // Each atom on the left occurs nowhere else in this object.
    std::map<atom, polynomial> equal_;
    std::vector<polynomial> at_least_zero_;
    std::vector<promise> promises_;
};

/// Adds the state unless it is already in the list.
void add_state(std::vector<facts>& states, facts state);

}  // namespace freehold::check
