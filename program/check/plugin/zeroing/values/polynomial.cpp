// SPDX-License-Identifier: BSL-1.0
#include "polynomial.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <numeric>

namespace freehold::check {
namespace {

// The smallest number has no opposite.
constexpr std::int64_t too_small = std::numeric_limits<std::int64_t>::min();

std::optional<std::int64_t> exact_sum(std::int64_t a, std::int64_t b) {
    std::int64_t result = 0;
    if (__builtin_add_overflow(a, b, &result) || result == too_small) return std::nullopt;
    return result;
}

std::optional<std::int64_t> exact_product(std::int64_t a, std::int64_t b) {
    std::int64_t result = 0;
    if (__builtin_mul_overflow(a, b, &result) || result == too_small) return std::nullopt;
    return result;
}

}  // namespace

polynomial::polynomial(std::int64_t constant) {
    add({}, constant);
}

polynomial polynomial::of(atom which) {
    polynomial result;
    result.add({which}, 1);
    return result;
}

void polynomial::add(const product& atoms, std::int64_t coefficient) {
    if (!is_known_) return;
    std::int64_t& place = terms_[atoms];
    const auto sum = exact_sum(place, coefficient);
    if (!sum) {
        lose();
        return;
    }
    place = *sum;
    if (place == 0) terms_.erase(atoms);
}

void polynomial::lose() {
    is_known_ = false;
    terms_.clear();
}

std::optional<std::int64_t> polynomial::constant() const {
    if (!is_known_) return std::nullopt;
    if (terms_.empty()) return 0;
    if (terms_.size() == 1 && terms_.begin()->first.empty()) return terms_.begin()->second;
    return std::nullopt;
}

std::int64_t polynomial::constant_term() const {
    const auto found = terms_.find({});
    return found == terms_.end() ? 0 : found->second;
}

bool polynomial::contains(atom which) const {
    return std::any_of(terms_.begin(), terms_.end(), [&](const auto& term) {
        return std::binary_search(term.first.begin(), term.first.end(), which);
    });
}

std::int64_t polynomial::linear_coefficient(atom which) const {
    std::int64_t result = 0;
    for (const auto& [atoms, coefficient] : terms_) {
        if (!std::binary_search(atoms.begin(), atoms.end(), which)) continue;
        if (atoms.size() != 1) return 0;
        result = coefficient;
    }
    return result;
}

polynomial polynomial::factor_of(atom which) const {
    polynomial result;
    for (const auto& [atoms, coefficient] : terms_) {
        const auto [first, last] = std::equal_range(atoms.begin(), atoms.end(), which);
        if (first == last) continue;
        if (last - first > 1) return {};
        product rest(atoms.begin(), first);
        rest.insert(rest.end(), last, atoms.end());
        result.add(rest, coefficient);
    }
    return result;
}

polynomial polynomial::times(const product& atoms, std::int64_t coefficient) const {
    polynomial other;
    other.add(atoms, coefficient);
    return *this * other;
}

std::vector<atom> polynomial::atoms() const {
    std::vector<atom> result;
    for (const auto& term : terms_)
        result.insert(result.end(), term.first.begin(), term.first.end());
    std::sort(result.begin(), result.end());
    result.erase(std::unique(result.begin(), result.end()), result.end());
    return result;
}

polynomial polynomial::replaced(atom which, const polynomial& value) const {
    if (!contains(which)) return *this;
    polynomial result;
    for (const auto& [atoms, coefficient] : terms_) {
        polynomial part;
        product rest;
        std::size_t power = 0;
        for (const atom each : atoms) {
            if (each == which)
                ++power;
            else
                rest.push_back(each);
        }
        part.add(rest, coefficient);
        for (; power != 0; --power) part = part * value;
        result += part;
    }
    return result;
}

std::optional<polynomial> polynomial::divided(std::int64_t divisor) const {
    if (!is_known_) return std::nullopt;
    polynomial result;
    for (const auto& [atoms, coefficient] : terms_) {
        if (coefficient % divisor != 0) return std::nullopt;
        result.terms_[atoms] = coefficient / divisor;
    }
    return result;
}

polynomial polynomial::reduced() const {
    std::int64_t factor = 0;
    for (const auto& [atoms, coefficient] : terms_)
        if (!atoms.empty()) factor = std::gcd(factor, coefficient);
    if (factor <= 1) return *this;
    polynomial result;
    for (const auto& [atoms, coefficient] : terms_) {
        const bool rounds_up = coefficient < 0 && coefficient % factor != 0;
        result.add(atoms, coefficient / factor - (rounds_up ? 1 : 0));
    }
    return result;
}

bool polynomial::is_multiple_but_for_constant(std::int64_t divisor) const {
    return is_known_ && std::all_of(terms_.begin(), terms_.end(), [&](const auto& term) {
               return term.first.empty() || term.second % divisor == 0;
           });
}

polynomial& polynomial::operator+=(const polynomial& other) {
    if (!other.is_known_) lose();
    const auto terms = other.terms_;
    for (const auto& [atoms, coefficient] : terms) add(atoms, coefficient);
    return *this;
}

polynomial& polynomial::operator-=(const polynomial& other) {
    if (!other.is_known_) lose();
    const auto terms = other.terms_;
    for (const auto& [atoms, coefficient] : terms) add(atoms, -coefficient);
    return *this;
}

polynomial operator*(const polynomial& a, const polynomial& b) {
    polynomial result;
    if (!a.is_known_ || !b.is_known_) result.lose();
    for (const auto& [left, x] : a.terms_) {
        for (const auto& [right, y] : b.terms_) {
            polynomial::product atoms;
            atoms.reserve(left.size() + right.size());
            std::merge(left.begin(), left.end(), right.begin(), right.end(),
                       std::back_inserter(atoms));
            const auto both = exact_product(x, y);
            if (!both) result.lose();
            result.add(atoms, both.value_or(0));
        }
    }
    return result;
}

}  // namespace freehold::check
