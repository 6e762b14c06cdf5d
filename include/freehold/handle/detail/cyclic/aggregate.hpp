// SPDX-License-Identifier: BSL-1.0
// What it is: finds the members of an aggregate at compile time; the aggregate declares nothing for
// it. The number of initialisers that the aggregate takes gives the number of members (after
// Boost.PFR and reflect-cpp). A structured binding then binds them.
#pragma once

#include <freehold/config.hpp>

#include <cstddef>
#include <cstdlib>
#include <type_traits>
#include <utility>

namespace freehold::inline FREEHOLD_ABI::detail {

inline constexpr std::size_t most_members = 16;

// Converts to every type except Whole, which would be a copy and not an initialiser. The conversion
// is never called, only looked up. It has a body because some compilers warn of a conversion
// without one.
template <class Whole>
struct any_member {
    template <class Member>
        requires(!std::is_same_v<Member, Whole>)
    operator Member() const noexcept {
        std::abort();
    }
};

template <class Whole>
struct any_base {
    template <class Base>
        requires(std::is_base_of_v<Base, Whole> && !std::is_same_v<Base, Whole>)
    operator Base() const noexcept {
        std::abort();
    }
};

// A structured binding cannot see a base class. If an aggregate has a base class, its first
// initialiser is for the first base.
template <class Whole>
inline constexpr bool has_base_class = requires { Whole{any_base<Whole>()}; };

template <class Whole, std::size_t>
using any_member_at = any_member<Whole>;

template <class Whole, std::size_t N>
consteval bool takes_initialisers() {
    return []<std::size_t... I>(std::index_sequence<I...>) {
        return requires { Whole{any_member_at<Whole, I>()...}; };
    }
    (std::make_index_sequence<N>());
}

// The same with {} in place of the initialisers of the member at position Before.
template <class Whole, std::size_t Before, std::size_t After>
consteval bool takes_initialisers_around() {
    return []<std::size_t... B, std::size_t... A>(std::index_sequence<B...>,
                                                  std::index_sequence<A...>) {
        return requires { Whole{any_member_at<Whole, B>()..., {}, any_member_at<Whole, A>()...}; };
    }
    (std::make_index_sequence<Before>(), std::make_index_sequence<After>());
}

// With brace elision an array of k elements takes k initialisers, so this can exceed the number of
// members.
template <class Whole, std::size_t N = most_members + 1>
consteval std::size_t count_initialisers() {
    if constexpr (N == 0 || takes_initialisers<Whole, N>()) {
        return N;
    } else {
        return count_initialisers<Whole, N - 1>();
    }
}

// Returns how many of Total initialisers the member at position At takes. It takes k of them if at
// most Total - At - k fit behind it.
template <class Whole, std::size_t Total, std::size_t At, std::size_t K = 1>
consteval std::size_t initialisers_of_member() {
    if constexpr (K < Total - At && !takes_initialisers_around<Whole, At, Total - At - K>() &&
                  takes_initialisers_around<Whole, At, 0>()) {
        return initialisers_of_member<Whole, Total, At, K + 1>();
    } else {
        return K;
    }
}

template <class Whole, std::size_t Total, std::size_t At = 0>
consteval std::size_t count_members_from() {
    if constexpr (At >= Total) {
        return 0;
    } else {
        return 1 +
               count_members_from<Whole, Total, At + initialisers_of_member<Whole, Total, At>()>();
    }
}

template <class Whole>
inline constexpr std::size_t member_count =
    count_members_from<Whole, count_initialisers<Whole>()>();

// Calls visit(member...) with every member of the aggregate.
template <class Whole, class Visit>
constexpr decltype(auto) with_members(Whole& whole, Visit visit) {
    constexpr std::size_t n = member_count<std::remove_cv_t<Whole>>;
    static_assert(n <= most_members,
                  "freehold: an aggregate of more than 16 members needs a `trace`");
    // clang-format off
    if constexpr (n == 0) { return visit(); }
    else if constexpr (n == 1) { auto& [a] = whole; return visit(a); }
    else if constexpr (n == 2) { auto& [a, b] = whole; return visit(a, b); }
    else if constexpr (n == 3) { auto& [a, b, c] = whole; return visit(a, b, c); }
    else if constexpr (n == 4) { auto& [a, b, c, d] = whole; return visit(a, b, c, d); }
    else if constexpr (n == 5) { auto& [a, b, c, d, e] = whole; return visit(a, b, c, d, e); }
    else if constexpr (n == 6) { auto& [a, b, c, d, e, f] = whole; return visit(a, b, c, d, e, f); }
    else if constexpr (n == 7) { auto& [a, b, c, d, e, f, g] = whole; return visit(a, b, c, d, e, f, g); }
    else if constexpr (n == 8) { auto& [a, b, c, d, e, f, g, h] = whole; return visit(a, b, c, d, e, f, g, h); }
    else if constexpr (n == 9) { auto& [a, b, c, d, e, f, g, h, i] = whole; return visit(a, b, c, d, e, f, g, h, i); }
    else if constexpr (n == 10) { auto& [a, b, c, d, e, f, g, h, i, j] = whole; return visit(a, b, c, d, e, f, g, h, i, j); }
    else if constexpr (n == 11) { auto& [a, b, c, d, e, f, g, h, i, j, k] = whole; return visit(a, b, c, d, e, f, g, h, i, j, k); }
    else if constexpr (n == 12) { auto& [a, b, c, d, e, f, g, h, i, j, k, l] = whole; return visit(a, b, c, d, e, f, g, h, i, j, k, l); }
    else if constexpr (n == 13) { auto& [a, b, c, d, e, f, g, h, i, j, k, l, m] = whole; return visit(a, b, c, d, e, f, g, h, i, j, k, l, m); }
    else if constexpr (n == 14) { auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, o] = whole; return visit(a, b, c, d, e, f, g, h, i, j, k, l, m, o); }
    else if constexpr (n == 15) { auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, o, p] = whole; return visit(a, b, c, d, e, f, g, h, i, j, k, l, m, o, p); }
    else if constexpr (n == 16) { auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q] = whole; return visit(a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q); }
    // clang-format on
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
