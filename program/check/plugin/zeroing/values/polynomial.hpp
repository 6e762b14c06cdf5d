// SPDX-License-Identifier: BSL-1.0
// Polynomials with integer coefficients over atoms. An atom is an unknown value of the analysed
// program, for example a variable or the size of a container. Sizes and offsets are polynomials, so
// that `4 * w * h` equals `w * (h * 4)`. Overflow of the program's arithmetic is ignored, but the
// analysis itself computes exactly: a coefficient that needs more than 64 bits makes the polynomial
// unknown, and nothing can be proved of an unknown one.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace freehold::check {

using atom = std::uint32_t;

class polynomial {
public:
    /// A product of atoms, sorted. The empty product is 1.
    using product = std::vector<atom>;

    polynomial() = default;
    polynomial(std::int64_t constant);
    static polynomial of(atom which);

    /// False after an overflow. Such a polynomial has no terms, and is equal to none, not even to
    /// itself.
    [[nodiscard]] bool is_known() const { return is_known_; }
    /// The value, if the polynomial has no atom.
    [[nodiscard]] std::optional<std::int64_t> constant() const;
    [[nodiscard]] std::int64_t constant_term() const;
    [[nodiscard]] bool contains(atom which) const;
    /// The coefficient of an atom that occurs only in a linear term. Otherwise 0.
    [[nodiscard]] std::int64_t linear_coefficient(atom which) const;
    /// The atoms of the polynomial, each once, in order.
    [[nodiscard]] std::vector<atom> atoms() const;
    [[nodiscard]] polynomial replaced(atom which, const polynomial& value) const;
    /// The factor of the atom, if no higher power of the atom occurs. Otherwise 0.
    [[nodiscard]] polynomial factor_of(atom which) const;
    /// No coefficient is 0.
    [[nodiscard]] const std::map<product, std::int64_t>& terms() const { return terms_; }
    [[nodiscard]] polynomial times(const product& atoms, std::int64_t coefficient) const;
    /// The quotient, if every coefficient is a multiple of the divisor. Otherwise empty.
    [[nodiscard]] std::optional<polynomial> divided(std::int64_t divisor) const;
    /// The strongest polynomial that is not negative wherever this one is not. It is this one,
    /// divided by the common factor of all coefficients except the constant term, and rounded down.
    [[nodiscard]] polynomial reduced() const;
    /// True if every coefficient except the constant term is a multiple of the divisor.
    [[nodiscard]] bool is_multiple_but_for_constant(std::int64_t divisor) const;

    polynomial& operator+=(const polynomial& other);
    polynomial& operator-=(const polynomial& other);
    friend polynomial operator+(polynomial a, const polynomial& b) { return a += b; }
    friend polynomial operator-(polynomial a, const polynomial& b) { return a -= b; }
    friend polynomial operator*(const polynomial& a, const polynomial& b);
    friend bool operator==(const polynomial& a, const polynomial& b) {
        return a.is_known_ && b.is_known_ && a.terms_ == b.terms_;
    }
    /// An order for sorting.
    friend bool operator<(const polynomial& a, const polynomial& b) {
        return std::tie(a.is_known_, a.terms_) < std::tie(b.is_known_, b.terms_);
    }

private:
    void add(const product& atoms, std::int64_t coefficient);
    void lose();

    bool is_known_ = true;
    std::map<product, std::int64_t> terms_;
};

}  // namespace freehold::check
