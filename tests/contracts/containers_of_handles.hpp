// SPDX-License-Identifier: BSL-1.0
// Every member of every standard container and wrapper of values, on handles.
#pragma once

#include "contracts/handle_scene.hpp"

#include <algorithm>
#include <any>
#include <array>
#include <concepts>
#include <deque>
#include <forward_list>
#include <functional>
#include <iterator>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <queue>
#include <set>
#include <span>
#include <stack>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

namespace freehold::contracts {

// clang++ 16 says that `a < b` is ambiguous, for a std::stack<int>, too. It compares less here.
template <class Adaptor>
bool is_before(const Adaptor& a, const Adaptor& b) {
#if defined(__clang__) && __clang_major__ == 16
    return a != b;
#else
    return a < b;
#endif
}

// The members of all containers, of all sequences and so on. Each notes the whole container after
// each change.
template <class Container, class Scene>
class container_members {
public:
    explicit container_members(Scene& scene) : scene_(scene), first_(scene.in.begin()) {}

    // `c` has some elements, and other() makes a container of others.
    void of_all(Container& c, auto other) {
        note(c);
        Container copy(c);
        note(c), note(copy);
        Container moved(std::move(copy));
        note(moved), note(copy);
        copy = moved;
        note(moved), note(copy);
        copy = copy.empty() ? std::move(moved) : copy;
        note(copy);
        Container others = other();
        copy.swap(others);
        swap(copy, others);
        std::swap(copy, others);
        note(copy), note(others);
        moved = std::move(copy);
        scene_.note_all(c.empty(), c == others, c != moved, c.max_size() > 0);
        note(moved);
        if constexpr (requires { c < moved; }) scene_.note_all(c < moved, others >= c);
        if constexpr (requires { c.get_allocator(); }) {
            Container with(c, c.get_allocator());
            Container taken(std::move(with), c.get_allocator());
            note(taken);
        }
        scene_.note(std::distance(c.cbegin(), c.cend()));
        if constexpr (requires { c.rbegin(); }) {
            for (auto i = c.rbegin(); i != c.rend(); ++i) note_element(*i);
            for (auto i = c.crbegin(); i != c.crend(); ++i) note_element(*i);
        }
        if constexpr (requires { c.size(); }) scene_.note(c.size());
        others.clear();
        note(others);
    }

    void of_sequences(Container& c) {
        note(Container(3)), note(Container(3, *first_)), note(Container(first_, first_ + 4));
        note(Container({first_[0], first_[1]}));
        Container filled;
        filled = {first_[2], first_[3]};
        note(filled);
        filled.assign(4, first_[4]);
        note(filled);
        filled.assign(first_, first_ + 3);
        note(filled);
        filled.assign({first_[5], first_[6]});
        note(filled);
        filled.resize(4);
        note(filled);
        filled.resize(6, first_[7]);
        filled.resize(1);
        note(filled);
        scene_.note(std::erase(filled, first_[5]));
        scene_.note(std::erase_if(c, [](const handle& h) { return h == nullptr; }));
        note(c);
        scene_.note(c.front());
        if constexpr (requires { c.push_back(handle()); }) {
            c.push_back(first_[0]);
            c.push_back(scene_.take_new());
            c.emplace_back(first_[1]);
            scene_.note_all(c.emplace_back(), c.back());
            note(c);
            c.pop_back();
            c.pop_back();
            note(c);
            c.insert(std::next(c.begin(), 2), c.back());
            c.insert(c.end(), scene_.take_new());
            c.insert(std::next(c.begin()), 3, *std::next(c.begin(), 3));
            note(c);
            c.insert(c.begin(), first_, first_ + 2);
            c.insert(c.end(), {first_[3], handle(), first_[4]});
            c.emplace(std::next(c.begin(), 3), first_[5]);
            note(c);
            c.erase(c.begin());
            c.erase(std::next(c.begin()), std::next(c.begin(), 4));
            note(c);
        }
        if constexpr (requires { c.push_front(handle()); }) {
            c.push_front(first_[0]);
            c.push_front(scene_.take_new());
            c.emplace_front(first_[1]);
            scene_.note(c.emplace_front());
            note(c);
            c.pop_front();
            c.pop_front();
            note(c);
        }
        if constexpr (requires { c[0]; }) {
            scene_.note_all(c[0], c.at(1), std::as_const(c)[2], std::as_const(c).at(3));
            c[0] = std::move(c[1]);
            c[2] = c[3];
            note(c);
            c.shrink_to_fit();
            note(c);
        }
        if constexpr (requires { c.reserve(1); }) {
            c.reserve(2 * c.capacity());
            scene_.note_all(c.data() == &c.front(), c.capacity() >= c.size());
            note(c);
        }
#if defined(__cpp_lib_containers_ranges)
        const std::span range(scene_.in.data(), 4);
        Container from_range(std::from_range, range);
        note(from_range);
        from_range.assign_range(range.subspan(1));
        note(from_range);
        if constexpr (requires { from_range.append_range(range); }) {
            from_range.append_range(range);
            from_range.insert_range(std::next(from_range.begin()), range);
            note(from_range);
        }
        if constexpr (requires { from_range.prepend_range(range); }) {
            from_range.prepend_range(range);
            note(from_range);
        }
#endif
    }

    // std::list and std::forward_list.
    void of_lists(Container& c) {
        Container other(first_ + 2, first_ + 7);
        c.sort();
        other.sort();
        note(c), note(other);
        c.merge(other);
        note(c), note(other);
        c.reverse();
        note(c);
        scene_.note(c.unique());
        note(c);
        c.sort(std::greater<>());
        c.unique(
            [](const handle& a, const handle& b) { return Scene::value(a) == Scene::value(b); });
        note(c);
        scene_.note(c.remove(first_[1]));
        scene_.note(c.remove_if([](const handle& h) { return Scene::value(h) % 2 == 0; }));
        note(c);
    }

    // Ordered and unordered sets and maps; an element is made of handles by `make`, and has a key.
    void of_associations(Container& c, auto make, auto key_of) {
        const auto in = [&](int i) { return make(first_[i], first_[i + 1]); };
        const Container filled({in(0), in(1), in(2)});
        note(filled);
        Container other;
        other = {in(3), in(4)};
        note(other);
        const auto given = in(5);
        other.insert(given);
        other.insert(in(6));
        other.insert(other.begin(), in(7));
        other.insert({in(8), in(9)});
        const std::array elements{in(0), in(1)};
        other.insert(elements.begin(), elements.end());
        other.emplace(in(10));
        other.emplace_hint(other.begin(), in(11));
        note(other);
        const auto key = key_of(in(1));
        scene_.note_all(other.count(key), other.contains(key), other.find(key) != other.end());
        scene_.note(std::as_const(other).find(key) != other.cend());
        const auto [from, to] = other.equal_range(key);
        scene_.note(std::distance(from, to));
        if constexpr (requires { other.lower_bound(key); }) {
            scene_.note(std::distance(other.lower_bound(key), other.end()));
            scene_.note(std::distance(other.upper_bound(key), other.end()));
            scene_.note(other.key_comp()(key, key));
        } else {
            other.rehash(100);
            other.reserve(200);
            scene_.note(other.hash_function()(key) == other.hash_function()(key));
            scene_.note(other.key_eq()(key, key));
            scene_.note(other.bucket(key) < other.bucket_count());
            note(other);
        }
        auto node = other.extract(key);
        scene_.note(node.empty());
        c.insert(std::move(node));
        note(c);
        c.insert(c.begin(), other.extract(other.find(key_of(in(8)))));
        note(c);
        c.merge(other);
        note(c), note(other);
        scene_.note(c.erase(key));
        note(c);
        c.erase(c.find(key_of(in(7))));
        note(c);
        const auto place = c.find(key_of(in(5)));
        c.erase(place, std::next(place));
        note(c);
        scene_.note(std::erase_if(c, [=](const auto& e) { return key_of(e) == key_of(given); }));
        note(c);
#if defined(__cpp_lib_containers_ranges)
        Container from_range(std::from_range, elements);
        from_range.insert_range(std::array{in(2), in(3)});
        note(from_range);
#endif
    }

    void of_single_maps(Container& c) {
        c[first_[0]] = first_[1];
        c[scene_.take_new()];
        c.insert_or_assign(first_[0], first_[2]);
        c.insert_or_assign(c.begin(), first_[1], first_[2]);
        c.try_emplace(first_[0], first_[3]);
        c.try_emplace(first_[2], first_[3]);
        c.try_emplace(c.begin(), first_[3]);
        scene_.note_all(c.at(first_[0]), std::as_const(c).at(first_[1]));
        note(c);
    }

    // The elements of an unordered container have no order: they are sorted.
    void note(const Container& c) {
        if constexpr (requires { c.bucket_count(); }) {
            std::vector<std::array<long, 4>> elements;
            for (const auto& each : c) elements.push_back(numbers(each));
            std::sort(elements.begin(), elements.end());
            scene_.note(elements);
        } else {
            for (const auto& each : c) note_element(each);
        }
        scene_.note(-2);
    }

private:
    using handle = typename Scene::handle;

    static std::array<long, 4> numbers(const handle& h) {
        return {Scene::value(h), Scene::owners(h)};
    }
    static std::array<long, 4> numbers(const auto& element) {
        const auto& [key, value] = element;
        return {Scene::value(key), Scene::owners(key), Scene::value(value), Scene::owners(value)};
    }
    void note_element(const auto& element) { scene_.note(numbers(element)); }

    Scene& scene_;
    typename Scene::handles::const_iterator first_;
};

template <class Strategy>
struct container_uses {
    using scene = handle_scene<Strategy>;
    using handle = typename scene::handle;

    template <class Container>
    static void use_sequence(scene& s) {
        container_members<Container, scene> members(s);
        Container c(s.in.begin(), s.in.end());
        members.of_all(c, [&] { return Container(s.in.begin() + 5, s.in.end()); });
        members.of_sequences(c);
        if constexpr (requires { c.merge(c); }) members.of_lists(c);
    }
    template <class Container>
    static void use_set(scene& s) {
        container_members<Container, scene> members(s);
        Container c(s.in.begin(), s.in.end());
        members.of_all(c, [&] { return Container(s.in.begin() + 5, s.in.end()); });
        const auto first = [](const handle& a, const handle&) { return a; };
        members.of_associations(c, first, std::identity());
    }
    template <class Container>
    static void use_map(scene& s) {
        using element = typename Container::value_type;
        // Of elements with the same key, it is not known which one is found first.
        constexpr bool is_single = requires(Container & map, const handle& key) { map[key]; };
        container_members<Container, scene> members(s);
        Container c;
        for (std::size_t i = 1; i < s.in.size(); ++i)
            c.emplace(s.in[i], s.in[is_single ? i - 1 : i]);
        members.of_all(c, [&] { return Container({{s.in[2], s.in[2]}, {s.in[1], s.in[4]}}); });
        const auto both = [](const handle& a, const handle& b) {
            return element(a, is_single ? b : a);
        };
        members.of_associations(c, both, [](const element& e) { return e.first; });
        if constexpr (is_single) members.of_single_maps(c);
    }

    static constexpr handle_use<Strategy> all[] = {
        {"vector", use_sequence<std::vector<handle>>},
        {"deque", use_sequence<std::deque<handle>>},
        {"list",
         [](scene& s) {
             using list = std::list<handle>;
             use_sequence<list>(s);
             list a(s.in.begin(), s.in.begin() + 5);
             list b(s.in.begin() + 3, s.in.end());
             a.splice(a.begin(), b);
             b.splice(b.end(), a, a.begin());
             b.splice(b.begin(), a, std::next(a.begin()), a.end());
             s.note_all(a, b);
         }},
        {"forward_list",
         [](scene& s) {
             using list = std::forward_list<handle>;
             use_sequence<list>(s);
             list a(s.in.begin(), s.in.begin() + 5);
             a.insert_after(a.before_begin(), s.in[7]);
             a.insert_after(a.begin(), s.take_new());
             a.insert_after(a.begin(), 2, s.in[1]);
             a.insert_after(a.begin(), s.in.begin(), s.in.begin() + 2);
             a.insert_after(a.cbefore_begin(), {s.in[2], s.in[3]});
             a.emplace_after(a.begin(), s.in[4]);
             s.note(a);
             a.erase_after(a.begin());
             a.erase_after(a.begin(), std::next(a.begin(), 3));
             list b(s.in.begin() + 3, s.in.end());
             a.splice_after(a.begin(), b);
             b.splice_after(b.before_begin(), a, a.begin());
             b.splice_after(b.begin(), a, a.begin(), a.end());
             s.note_all(a, b);
         }},
        {"array",
         [](scene& s) {
             std::array<handle, 3> a{s.in[0], s.in[1], s.in[2]};
             std::array<handle, 3> b{};
             a.swap(b);
             swap(a, b);
             b = a;
             s.note_all(a, b, a == b, a < b, a.front(), a.back(), a.at(1), a[2], std::get<0>(a));
             b = std::move(a);
             b.fill(s.in[4]);
             auto [x, y, z] = b;
             s.note_all(a, b, x, y, z, *b.data(), b.size());
             s.note(std::to_array({s.in[0], s.in[1]}));
         }},
        {"set", use_set<std::set<handle>>},
        {"multiset", use_set<std::multiset<handle>>},
        {"map", use_map<std::map<handle, handle>>},
        {"multimap", use_map<std::multimap<handle, handle>>},
        {"unordered_set", use_set<std::unordered_set<handle>>},
        {"unordered_multiset", use_set<std::unordered_multiset<handle>>},
        {"unordered_map", use_map<std::unordered_map<handle, handle>>},
        {"unordered_multimap", use_map<std::unordered_multimap<handle, handle>>},
        {"stack",
         [](scene& s) {
             std::stack<handle> a;
             for (const auto& each : s.in) a.push(each);
             a.push(s.take_new());
             a.emplace(s.in[0]);
             std::stack<handle> b(a);
             s.note_all(a == b, a.size());
             for (a.pop(); !a.empty(); a.pop()) s.note(a.top());
             a.swap(b);
             swap(a, b);
             s.note_all(a.empty(), b.top(), is_before(a, b));
         }},
        {"queue",
         [](scene& s) {
             std::queue<handle> a;
             for (const auto& each : s.in) a.push(each);
             a.push(s.take_new());
             a.emplace(s.in[0]);
             std::queue<handle> b(a);
             s.note_all(a == b, a.size());
             for (a.pop(); !a.empty(); a.pop()) s.note_all(a.front(), a.back());
             a.swap(b);
             swap(a, b);
             s.note_all(a.empty(), b.front(), is_before(a, b));
         }},
        {"priority_queue",
         [](scene& s) {
             std::priority_queue<handle> a(s.in.begin(), s.in.end());
             a.push(s.in[3]);
             a.push(std::move(s.in[4]));
             a.emplace(s.in[0]);
             std::priority_queue<handle> b;
             a.swap(b);
             swap(a, b);
             for (; !a.empty(); a.pop()) s.note_all(a.top(), a.size());
         }},
        {"span",
         [](scene& s) {
             const std::span<handle> a(s.in);
             const std::span<const handle, 4> b(s.in.data(), 4);
             s.note_all(a.front(), a.back(), a[2], a.size(), a.size_bytes() > 0, a.empty());
             for (const auto& each : a.first(3)) s.note(each);
             for (const auto& each : a.template last<2>()) s.note(each);
             for (const auto& each : b.subspan(1)) s.note(each);
             for (auto i = a.rbegin(); i != a.rend(); ++i) s.note(*i);
         }},
        {"optional",
         [](scene& s) {
             std::optional<handle> a;
             std::optional<handle> b(s.in[0]);
             a = b;
             s.note_all(*a, a == b, a != s.in[0], a < b, a == std::nullopt);
             a = std::move(b);
             s.note_all(*a, *b, b.has_value());
             a.emplace(s.in[1]);
             a.swap(b);
             swap(a, b);
             s.note_all(*a, *b, a.value(), a.value_or(s.in[2]));
             b = std::nullopt;
             a.swap(b);
             s.note_all(a.has_value(), a.value_or(s.in[3]), *b);
             a = s.in[4];
             a = s.take_new();
             b.reset();
             const std::optional<handle> c(std::in_place, std::move(*a));
             s.note_all(*a, *c, *std::make_optional(s.in[1]));
             s.note(std::hash<std::optional<handle>>()(c) == std::hash<handle>()(*c));
#if defined(__cpp_lib_optional) && __cpp_lib_optional >= 202110L
             s.note(*c.transform([](const handle& h) { return h; }));
             s.note(*c.and_then([](const handle& h) { return std::optional(h); }));
             s.note(*std::optional<handle>().or_else([&] { return std::optional(s.in[1]); }));
#endif
         }},
        {"variant",
         [](scene& s) {
             using variant = std::variant<int, handle>;
             variant a;
             variant b(s.in[0]);
             a = b;
             s.note_all(a == b, a < b, std::get<1>(a), std::get<handle>(b));
             a = std::move(b);
             s.note_all(std::get<1>(a), std::get<1>(b));
             a.template emplace<1>(s.in[1]);
             a.swap(b);
             swap(a, b);
             a = 1;
             a.swap(b);
             s.note_all(std::get<1>(a), *std::get_if<0>(&b), std::holds_alternative<handle>(a));
             b = s.take_new();
             s.note(std::visit([](const auto& x,
                                  const auto& y) { return std::same_as<decltype(x), decltype(y)>; },
                               a, b));
             s.note(std::hash<variant>()(a) == std::hash<variant>()(variant(a)));
         }},
        {"any",
         [](scene& s) {
             std::any a(s.in[0]);
             std::any b = a;
             b.swap(a);
             swap(a, b);
             s.note_all(std::any_cast<handle>(a), std::any_cast<handle&>(b));
             a = s.in[1];
             b = std::move(a);
             s.note_all(a.has_value(), *std::any_cast<handle>(&b));
             a.emplace<handle>(s.in[2]);
             a = b;
             a = 1;
             b.reset();
             s.note(*std::any_cast<handle>(&(a = std::make_any<handle>(s.take_new()))));
         }},
        {"pair",
         [](scene& s) {
             using pair = std::pair<handle, int>;
             pair a(s.in[0], 1);
             pair b(s.in[1], 2);
             a.swap(b);
             swap(a, b);
             s.note_all(a.first, b.first, a == b, a < b, std::get<handle>(a));
             b = a;
             a = std::move(b);
             auto [x, y] = a;
             s.note_all(x, y, a.first, b.first, std::make_pair(s.in[2], s.in[3]));
         }},
        {"tuple",
         [](scene& s) {
             using tuple = std::tuple<handle, int, handle>;
             tuple a(s.in[0], 1, s.in[1]);
             tuple b(s.in[1], 2, s.in[2]);
             a.swap(b);
             swap(a, b);
             s.note_all(a == b, a < b, std::get<0>(a), std::get<2>(b));
             b = a;
             a = std::move(b);
             auto [x, y, z] = a;
             s.note_all(x, y, z, std::get<0>(b));
             handle tied;
             std::tie(tied, std::ignore) = std::make_tuple(s.in[3], s.in[4]);
             const auto all = std::tuple_cat(a, std::forward_as_tuple(s.in[5]));
             s.note_all(tied, std::get<3>(all));
             s.note(std::apply([](const handle& h, int, const handle&) { return h; }, a));
             s.note(std::make_from_tuple<handle>(std::tuple(s.in[6])));
         }},
        {"function",
         [](scene& s) {
             std::function<handle(handle)> a = [held = s.in[0]](handle h) {
                 return h == nullptr ? held : h;
             };
             auto b = a;
             a.swap(b);
             swap(a, b);
             s.note_all(a(nullptr), b(s.in[1]), a(s.take_new()), bool(a));
             b = std::move(a);
             s.note(b(nullptr));
             a = b;
             b = nullptr;
             s.note_all(a(nullptr), b == nullptr);
             s.note(std::bind(a, std::placeholders::_1)(s.in[2]));
             s.note(std::invoke(&animal<Strategy>::value, s.in[0]));
             s.note(std::mem_fn(&animal<Strategy>::value)(s.in[1]));
             s.note(std::ref(s.in[2]).get());
             s.note(std::not_fn(std::equal_to<>())(s.in[0], s.in[1]));
#if defined(__cpp_lib_move_only_function)
             std::move_only_function<handle()> c = [held = s.in[3]] { return held; };
             auto d = std::move(c);
             s.note_all(d(), c == nullptr);
#endif
         }},
    };
};

// Handles that only move.
template <class Strategy>
struct moving_container_uses {
    using scene = handle_scene<Strategy>;
    using handle = typename scene::handle;

    template <class Container>
    static void use_sequence(scene& s) {
        Container c(std::move_iterator(s.in.begin()), std::move_iterator(s.in.end()));
        s.note(c);
        c.push_back(s.take_new());
        c.emplace_back(s.take_new());
        c.insert(std::next(c.begin(), 2), s.take_new());
        c.insert(c.begin(), std::move(c.back()));
        c.emplace(std::next(c.begin()), s.take_new());
        c.resize(c.size() + 2);
        s.note(c);
        c.erase(c.begin());
        c.erase(std::next(c.begin()), std::next(c.begin(), 3));
        c.pop_back();
        s.note(c);
        Container moved(std::move(c));
        s.note_all(c, moved);
        c = std::move(moved);
        c.swap(moved);
        swap(c, moved);
        s.note_all(c, moved, c == moved, c < moved, std::erase(c, nullptr));
        c.clear();
        s.note(c);
    }
    static constexpr handle_use<Strategy> all[] = {
        {"vector", use_sequence<std::vector<handle>>},
        {"deque", use_sequence<std::deque<handle>>},
        {"list", use_sequence<std::list<handle>>},
        {"set",
         [](scene& s) {
             std::set<handle> a(std::move_iterator(s.in.begin()), std::move_iterator(s.in.end()));
             a.insert(s.take_new());
             a.emplace(s.take_new());
             s.note_all(a, a.contains(*a.begin()));
             auto node = a.extract(a.begin());
             s.note(node.value());
             std::unordered_set<handle> b;
             b.insert(std::move(node.value()));
             b.insert(s.take_new());
             s.note_all(a, b.size(), b.contains(*b.begin()));
         }},
        {"map",
         [](scene& s) {
             std::map<handle, handle> a;
             for (auto& each : s.in) a[s.take_new()] = std::move(each);
             a.emplace(s.take_new(), nullptr);
             s.note(a);
             std::unordered_map<int, handle> b;
             for (const auto& each : s.out) b.try_emplace(scene::value(each), s.take_new());
             b.insert_or_assign(3, s.take_new());
             s.note_all(b.at(-1), b[3], b[4]);
         }},
        {"optional",
         [](scene& s) {
             std::optional<handle> a(std::move(s.in[0]));
             std::optional<handle> b(std::move(a));
             a.swap(b);
             swap(a, b);
             s.note_all(*a, *b, a == b, a < b);
             a = std::move(b);
             b.reset();
             a.emplace(s.take_new());
             s.note_all(*a, std::move(a).value_or(nullptr));
         }},
        {"variant",
         [](scene& s) {
             std::variant<int, handle> a(std::move(s.in[0]));
             std::variant<int, handle> b(std::move(a));
             a = 1;
             a.swap(b);
             s.note_all(std::get<1>(a), std::get<0>(b), a == b);
             a = s.take_new();
             s.note(std::get<handle>(a));
         }},
        {"tuple",
         [](scene& s) {
             std::tuple<handle, handle> a(std::move(s.in[0]), s.take_new());
             std::pair<handle, handle> b(std::move(s.in[1]), std::move(s.in[2]));
             std::tuple<handle, handle> c(std::move(a));
             a = std::move(b);
             swap(a, c);
             auto [x, y] = std::move(a);
             s.note_all(x, y, b, std::get<0>(a), std::get<0>(c), a == c, a < c);
         }},
    };
};

template <class Strategy>
class containers_of_handles : public testing::Test {};

TYPED_TEST_SUITE_P(containers_of_handles);

TYPED_TEST_P(containers_of_handles, have_all_members_as_those_of_std) {
    if constexpr (std::copyable<animal_handle<TypeParam>>) {
        expect_uses_as_of_std<TypeParam, container_uses>(true);
    } else {
        expect_uses_as_of_std<TypeParam, moving_container_uses>(false);
    }
}

REGISTER_TYPED_TEST_SUITE_P(containers_of_handles, have_all_members_as_those_of_std);

}  // namespace freehold::contracts
