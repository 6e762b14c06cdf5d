// SPDX-License-Identifier: BSL-1.0
// What it is: how a collection finds the edges of an object: the cyclic_ptrs that the object itself
// owns.
//
// A type names its edges with a member `trace(visitor)` or a free function `trace(object,
// visitor)`, found by argument-dependent lookup. The trace calls `visitor(edges...)` with each
// edge, or with anything that holds edges (a range, optional, tuple, aggregate), once. The
// collection looks into an aggregate without a trace. A class that is no aggregate and has no trace
// has no edges. If a trace leaves out an edge, cycles through that edge leak. If a trace reports a
// handle twice, or a handle of another object, it breaks the counting. Traces run during
// collections. They must not throw or change a handle.
#pragma once

#include <freehold/handle/detail/cyclic/aggregate.hpp>
#include <freehold/handle/detail/cyclic/node.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <iterator>
#include <memory>
#include <optional>
#include <tuple>
#include <type_traits>
#include <variant>

namespace freehold::inline FREEHOLD_ABI {

template <class T>
class cyclic_ptr;
template <class T>
class weak_cyclic_ptr;
class edge_visitor;

// Specialise as true for a type that freehold cannot see into and that owns no cyclic_ptr, a
// std::function for instance.
template <class T>
inline constexpr bool has_no_edges = false;

namespace detail {

// Collects the edges of a trace that are not null, in an array. When the array is full, `spill`
// empties it.
class edge_sink {
public:
    using spill = void (*)(void* context, cyclic_handle** first, cyclic_handle** last);
    edge_sink(cyclic_handle** first, cyclic_handle** last, spill when_full, void* context) noexcept
        : first_(first), next_(first), last_(last), spill_(when_full), context_(context) {}

    void add(cyclic_handle& edge) noexcept {
        if (!edge.node) return;
        if (next_ == last_) [[unlikely]] {
            spill_(context_, first_, last_);
            next_ = first_;
        }
        *next_++ = &edge;
    }
    [[nodiscard]] cyclic_handle** end() const noexcept { return next_; }

private:
    cyclic_handle** first_;
    cyclic_handle** next_;
    cyclic_handle** last_;
    spill spill_;
    void* context_;
};

// Calls f(edge) for each edge of the object that is not null.
template <class F>
void for_each_edge(cyclic_node& node, F f) {
    std::array<cyclic_handle*, 32> row;
    const auto call = [](void* context, cyclic_handle** first, cyclic_handle** last) {
        for (; first != last; ++first) (*static_cast<F*>(context))(**first);
    };
    edge_sink sink(row.data(), row.data() + row.size(), call, &f);
    node.type->trace(&node, sink);
    call(&f, row.data(), sink.end());
}

template <class T>
concept traced_by_member = requires(T& object, edge_visitor& visitor) { object.trace(visitor); };
template <class T>
concept traced_by_function = requires(T& object, edge_visitor& visitor) { trace(object, visitor); };
template <class T>
concept range_of_members = requires(T& range) {
                               range.begin() == range.end();
                               *range.begin();
                           };
template <class T>
using element_of = std::remove_cvref_t<decltype(*std::begin(std::declval<T&>()))>;
template <class T>
concept tuple_of_members = requires { std::tuple_size<T>::value; };

template <class T>
inline constexpr bool is_strong_handle = false;
template <class T>
inline constexpr bool is_strong_handle<cyclic_ptr<T>> = true;
template <class T>
inline constexpr bool is_weak_handle = false;
template <class T>
inline constexpr bool is_weak_handle<weak_cyclic_ptr<T>> = true;
template <class T>
inline constexpr bool is_variant = false;
template <class... T>
inline constexpr bool is_variant<std::variant<T...>> = true;
template <class T>
inline constexpr bool is_sole_owner = false;  // owns one object or none, which operator* returns
template <class T>
inline constexpr bool is_sole_owner<std::optional<T>> = true;
template <class T, class D>
inline constexpr bool is_sole_owner<std::unique_ptr<T, D>> = !std::is_array_v<T>;

enum class edge_source {
    none,
    handle,
    trace_member,
    trace_function,
    array,
    range,
    tuple,
    variant,
    sole_owner,
    members,
    unseen
};

// A trivially destructible type has no edges, because ownership needs a destructor.
template <class T>
consteval edge_source source_of_edges() {
    using enum edge_source;
    if constexpr (is_strong_handle<T>)
        return handle;
    else if constexpr (has_no_edges<T> || is_weak_handle<T>)
        return none;
    else if constexpr (traced_by_member<T>)
        return trace_member;
    else if constexpr (traced_by_function<T>)
        return trace_function;
    else if constexpr (std::is_array_v<T>)
        return array;
    else if constexpr (std::is_trivially_destructible_v<T>)
        return none;
    else if constexpr (is_variant<T>)
        return variant;
    else if constexpr (is_sole_owner<T>)
        return sole_owner;
    else if constexpr (range_of_members<T>)
        return range;
    else if constexpr (tuple_of_members<T>)
        return tuple;
    else if constexpr (std::is_aggregate_v<T> && !std::is_union_v<T> && !has_base_class<T>)
        return members;
    else
        return unseen;
}

template <class T>
void visit_edges(T& object, edge_visitor& visitor);
template <class T, class... Seen>
consteval bool can_have_edges();

}  // namespace detail

// The argument of a trace. A copy reports to the same collection.
class edge_visitor {
public:
    // The collector makes the visitor.
    explicit edge_visitor(detail::edge_sink& sink) noexcept : sink_(&sink) {}

    // Visits members: handles, containers of handles, and objects that have a trace.
    template <class... Edges>
    void operator()(Edges&... edges) {
        (detail::visit_edges(const_cast<std::remove_const_t<Edges>&>(edges), *this), ...);
    }

    // Visits one handle.
    void add(detail::cyclic_handle& edge) noexcept { sink_->add(edge); }

private:
    detail::edge_sink* sink_;
};

namespace detail {

struct cyclic_access {
    template <class T>
    static cyclic_handle& handle(cyclic_ptr<T>& p) noexcept {
        return p;
    }
};

template <class T>
void visit_edges(T& object, edge_visitor& visitor) {
    constexpr edge_source source = source_of_edges<T>();
    static_assert(source != edge_source::unseen,
                  "freehold: cannot see whether this member owns a cyclic_ptr; give the class that "
                  "holds it a `trace`, "
                  "or specialise freehold::has_no_edges for the member's type");
    if constexpr (source == edge_source::handle) {
        visitor.add(cyclic_access::handle(object));
    } else if constexpr (source == edge_source::trace_member) {
        object.trace(visitor);
    } else if constexpr (source == edge_source::trace_function) {
        trace(object, visitor);
    } else if constexpr (source == edge_source::array || source == edge_source::range) {
        if constexpr (can_have_edges<element_of<T>>()) {
            for (auto& each : object) visitor(each);
        }
    } else if constexpr (source == edge_source::tuple) {
        std::apply([&](auto&... each) { visitor(each...); }, object);
    } else if constexpr (source == edge_source::variant) {
        if (!object.valueless_by_exception())
            std::visit([&](auto& each) { visitor(each); }, object);
    } else if constexpr (source == edge_source::sole_owner) {
        if (object) visitor(*object);
    } else if constexpr (source == edge_source::members) {
        with_members(object, [&](auto&... each) { visitor(each...); });
    }
}

// Returns whether T can have edges. If not, its objects are never candidates and are never
// examined. `Seen` are the types whose members are being examined, because a type may contain a
// range of itself.
template <class T, class... Seen>
consteval bool can_have_edges() {
    using enum edge_source;
    constexpr edge_source source = source_of_edges<T>();
    if constexpr ((std::is_same_v<T, Seen> || ...)) {
        return false;
    } else if constexpr (source == array || source == range) {
        return can_have_edges<element_of<T>, T, Seen...>();
    } else if constexpr (source == sole_owner) {
        return can_have_edges<std::remove_cvref_t<decltype(*std::declval<T&>())>, T, Seen...>();
    } else if constexpr (source == tuple || source == variant) {
        return []<template <class...> class Tuple, class... Member>(
                   std::type_identity<Tuple<Member...>>) {
            return (can_have_edges<std::remove_cv_t<Member>, T, Seen...>() || ...);
        }(std::type_identity<T>());
    } else if constexpr (source == members) {
        return decltype(with_members(std::declval<T&>(), []<class... Member>(Member&...) {
            return std::bool_constant<(can_have_edges<std::remove_cv_t<Member>, T, Seen...>() ||
                                       ...)>();
        }))::value;
    } else {
        return source != none;
    }
}

}  // namespace detail
}  // namespace freehold::inline FREEHOLD_ABI
