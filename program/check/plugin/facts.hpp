// SPDX-License-Identifier: BSL-1.0
// What is known of one zeroed object at one point of the program, on some of the paths to it: which
// of its bytes have been overwritten, and how the sizes and positions in the program are related.
// Bytes are counted from the object's first one. The data-flow analysis (flow.hpp) keeps a set of
// these at each point, so that `if (got != size) return;` separates the short read from the whole.
#pragma once

#include "polynomial.hpp"

#include <functional>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

namespace freehold::check {

/// The bytes from low up to, but without, high; or `count` such pieces, each by `stride` behind the
/// one before, as a loop over a column of a table writes them.
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

/// What an earlier look at a loop has learnt: a write of this size goes on by `slope` bytes when
/// the variable is one more.
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

/// How a call tells that it filled its buffer.
enum class success { if_zero, if_nonzero, if_not_negative };

/// If `status` tells success, `zero` is 0.
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
        return std::tie(live, zeroed, covered, padding_left, equal_, at_least_zero_, promises_);
    }

public:
    /// The object exists and its bytes in this range have been zeroed. Ranges that are overwritten,
    /// or have never been zeroed, are `covered`.
    bool live = false;
    byte_range zeroed;
    std::vector<byte_range> covered;
    /// Values of the whole analysis that are never negative; may be null.
    const std::vector<polynomial>* axioms = nullptr;
    /// Some padding within `covered` was taken for overwritten.
    bool padding_left = false;

    [[nodiscard]] polynomial normal(const polynomial& value) const;
    /// True if the value cannot be negative.
    [[nodiscard]] bool at_least_zero(const polynomial& value) const;
    /// True if each zeroed byte of the range has been overwritten.
    [[nodiscard]] bool is_covered(const byte_range& range) const;
    [[nodiscard]] bool is_all_covered() const { return is_covered(zeroed); }

    void cover(const byte_range& range);
    /// Ends the object: nothing is zeroed any longer.
    void end();

    /// The atom's value has become one that is not known. `fresh` names it where it must be named.
    void forget(atom which, const std::function<atom()>& fresh);
    /// The atom's value has become this one, which may be written in terms of the old value.
    void assign(atom which, const polynomial& value, const std::function<atom()>& fresh);
    /// False if the value cannot be so: this path does not exist.
    [[nodiscard]] bool assume(const polynomial& value, relation how);
    void promise_if(promise given);
    /// A fact that holds as long as its atoms keep their values.
    void know_at_least_zero(const polynomial& value);

    /// Rewrites what the last pass of a loop brought as a function of a variable that the pass
    /// changed, for example "i bytes" where i was 0 at the loop's entry and is 1 now.
    void generalise(const facts& entry, const std::vector<atom>& changed,
                    const std::vector<column_write>& columns);
    /// Forgets what a pass of a loop knows of the atoms that it changes, but not how they are
    /// related, nor what was so when the loop began.
    void forget_values(const std::vector<atom>& changed, const facts* entry);
    /// The writes of a pass of a loop that leave gaps before the next pass's.
    [[nodiscard]] std::vector<column_write> columns(const facts& entry,
                                                    const std::vector<atom>& changed) const;

    /// True if nothing distinguishes them but what is known of values.
    [[nodiscard]] bool same_object_state(const facts& other) const;
    /// True if whatever holds in the other one holds in this one.
    [[nodiscard]] bool implies(const facts& other) const;
    /// True if an end of the zeroed bytes is told by this atom.
    [[nodiscard]] bool is_end(atom which) const {
        return zeroed.low.contains(which) || zeroed.high.contains(which);
    }
    /// Keeps only what both know of values.
    void weaken_to(const facts& other);

    friend bool operator==(const facts& a, const facts& b) { return a.key() == b.key(); }
    friend bool operator<(const facts& a, const facts& b) { return a.key() < b.key(); }

private:
    void replace(atom which, const polynomial& value);
    [[nodiscard]] bool equate_to_zero(const polynomial& value);
    [[nodiscard]] bool keep_promises(const polynomial& value, relation how);
    /// How two ranges join whose second begins where the first ends.
    enum class joining {
        if_sure,        ///< Only if the second cannot have a negative length.
        unless_absurd,  ///< Unless the second is known to have one.
    };
    void merge_covered(joining how);
    /// True if the first one has become both.
    [[nodiscard]] bool merge(byte_range& a, const byte_range& b, joining how) const;
    /// Makes one piece of those that touch.
    void join_pieces(byte_range& range, joining how) const;
    /// True if ranges cover it one after the other.
    [[nodiscard]] bool is_chained(const polynomial& low, const polynomial& high,
                                  std::vector<bool>& used) const;
    /// Replaces such an atom in the ends of ranges by the least value that comparisons leave it.
    void bound_ranges(const std::vector<atom>& which, bool are_gone);

    // Each atom on the left occurs nowhere else in this object.
    std::map<atom, polynomial> equal_;
    std::vector<polynomial> at_least_zero_;
    std::vector<promise> promises_;
};

/// Unless it is there already.
void add_state(std::vector<facts>& states, facts state);

}  // namespace freehold::check
