// SPDX-License-Identifier: BSL-1.0
// What containers and algorithms do to handles: they move, swap, copy and drop thousands of them.
// Each test is a struct with the container that it uses and two functions. The suite times `run`,
// but not `prepare` (element_kernels.hpp). scripts/handles-ab times both.
#pragma once

#include "suites/common/barrier.hpp"

#include <algorithm>
#include <any>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

namespace lab::containers {

constexpr auto by_value = [](const auto& a, const auto& b) { return a->value < b->value; };

namespace elements {

/// A vector of n handles, with room for more.
template <class Handle>
struct on_vector {
    using container = std::vector<Handle>;
    /// Not inlined: twelve tests call it, and it is not timed.
    [[gnu::noinline]] static void prepare(container& full, const std::vector<Handle>& from) {
        full.clear();
        full.reserve(2 * from.size() + 1);
        full.insert(full.end(), from.begin(), from.end());
    }
};

// A copy of n handles takes far longer than most of the tests. Where a run leaves the vector with
// one handle more or less, `prepare` therefore drops or copies only that one.

/// A test that leaves as many handles as before. The next run does not depend on their order.
template <class Handle>
struct on_any_order : on_vector<Handle> {
    static void prepare(std::vector<Handle>& v, const std::vector<Handle>& from) {
        if (v.size() != from.size()) on_vector<Handle>::prepare(v, from);
    }
};

template <class Handle>
struct with_one_more : on_vector<Handle> {
    static void prepare(std::vector<Handle>& v, const std::vector<Handle>& from) {
        if (v.size() == from.size() + 1)
            v.pop_back();
        else
            on_vector<Handle>::prepare(v, from);
    }
};

template <class Handle>
struct with_one_fewer : on_vector<Handle> {
    static void prepare(std::vector<Handle>& v, const std::vector<Handle>& from) {
        if (v.size() + 1 == from.size())
            v.push_back(from.back());
        else
            on_vector<Handle>::prepare(v, from);
    }
};

template <class Handle>
struct insert_front : with_one_more<Handle> {
    static void run(std::vector<Handle>& v, const std::vector<Handle>& from) {
        v.insert(v.begin(), from.front());
    }
};

template <class Handle>
struct insert_middle : with_one_more<Handle> {
    static void run(std::vector<Handle>& v, const std::vector<Handle>& from) {
        v.insert(v.begin() + v.size() / 2, from.front());
    }
};

template <class Handle>
struct insert_range : on_vector<Handle> {
    static void run(std::vector<Handle>& v, const std::vector<Handle>& from) {
        v.insert(v.begin() + v.size() / 2, from.begin(), from.begin() + from.size() / 4);
    }
};

template <class Handle>
struct erase_front : with_one_fewer<Handle> {
    static void run(std::vector<Handle>& v, const std::vector<Handle>&) { v.erase(v.begin()); }
};

template <class Handle>
struct erase_middle : with_one_fewer<Handle> {
    static void run(std::vector<Handle>& v, const std::vector<Handle>&) {
        v.erase(v.begin() + v.size() / 2);
    }
};

template <class Handle>
struct rotate : on_any_order<Handle> {
    static void run(std::vector<Handle>& v, const std::vector<Handle>&) {
        std::rotate(v.begin(), v.begin() + v.size() / 3, v.end());
    }
};

template <class Handle>
struct reverse : on_any_order<Handle> {
    static void run(std::vector<Handle>& v, const std::vector<Handle>&) {
        std::reverse(v.begin(), v.end());
    }
};

template <class Handle>
struct sort : on_vector<Handle> {
    static void run(std::vector<Handle>& v, const std::vector<Handle>&) {
        std::sort(v.begin(), v.end(), by_value);
    }
};

template <class Handle>
struct partition : on_vector<Handle> {
    static void run(std::vector<Handle>& v, const std::vector<Handle>&) {
        std::partition(v.begin(), v.end(), [](const Handle& h) { return h->value % 2 == 0; });
    }
};

template <class Handle>
struct remove : on_vector<Handle> {
    static void run(std::vector<Handle>& v, const std::vector<Handle>&) {
        std::erase_if(v, [](const Handle& h) { return h->value % 8 == 0; });
    }
};

template <class Handle>
struct heap : on_vector<Handle> {
    static void run(std::vector<Handle>& v, const std::vector<Handle>&) {
        std::make_heap(v.begin(), v.end(), by_value);
        std::sort_heap(v.begin(), v.end(), by_value);
    }
};

template <class Handle>
struct clear : on_vector<Handle> {
    static void run(std::vector<Handle>& v, const std::vector<Handle>&) { v.clear(); }
};

/// Assigns from a vector in another order, so that every handle gets another pointee.
template <class Handle>
struct assign : on_vector<Handle> {
    static void prepare(std::vector<Handle>& v, const std::vector<Handle>& from) {
        on_vector<Handle>::prepare(v, from);
        std::rotate(v.begin(), v.begin() + v.size() / 2, v.end());
    }
    static void run(std::vector<Handle>& v, const std::vector<Handle>& from) { v = from; }
};

template <class Handle>
struct copy {
    using container = std::optional<std::vector<Handle>>;
    static void prepare(container& none, const std::vector<Handle>&) { none.reset(); }
    static void run(container& made, const std::vector<Handle>& from) { made.emplace(from); }
};

template <class Handle>
struct grow {
    struct container {
        std::vector<Handle> from, to;
    };
    static void prepare(container& c, const std::vector<Handle>& from) {
        c.from = from;
        c.to = {};
    }
    static void run(container& c, const std::vector<Handle>&) {
        for (Handle& each : c.from) c.to.push_back(std::move(each));
    }
};

template <class Handle>
struct queue {
    using container = std::deque<Handle>;
    static void prepare(container& empty, const std::vector<Handle>&) { empty.clear(); }
    static void run(container& waiting, const std::vector<Handle>& from) {
        for (std::size_t i = 0; i < from.size(); ++i) {
            waiting.push_back(from[i]);
            if (i % 2 == 1) waiting.pop_front();
        }
        while (!waiting.empty()) waiting.pop_front();
    }
};

/// Fills a map whose keys are the pointees' values, and clears it.
template <class Map>
struct in_map {
    using container = Map;
    using handle = typename Map::mapped_type;
    static void prepare(Map& empty, const std::vector<handle>&) { empty.clear(); }
    static void run(Map& map, const std::vector<handle>& from) {
        for (const handle& each : from) map.emplace(each->value, each);
        map.clear();
    }
};
template <class Handle>
struct map : in_map<std::map<std::uint64_t, Handle>> {};
template <class Handle>
struct unordered_map : in_map<std::unordered_map<std::uint64_t, Handle>> {};

/// Assigns a copy to each place, and then empties all of them.
template <class Place>
struct in_places {
    using container = std::vector<Place>;
    template <class Handle>
    static void prepare(container& empty, const std::vector<Handle>& from) {
        empty.resize(from.size());
    }
    template <class Handle>
    static void run(container& places, const std::vector<Handle>& from) {
        for (std::size_t i = 0; i < from.size(); ++i) places[i] = from[i];
        barrier();
        for (Place& each : places) each = Place();
    }
};
template <class Handle>
struct optional : in_places<std::optional<Handle>> {};
template <class Handle>
struct variant : in_places<std::variant<std::monostate, Handle>> {};
template <class Handle>
struct any : in_places<std::any> {};

template <class Handle>
struct function {
    struct container {
        std::function<std::uint64_t(Handle)> called;
        std::uint64_t sum = 0;
    };
    static void prepare(container& c, const std::vector<Handle>&) {
        c.called = [](Handle held) { return held->value; };
        escape(&c.called);
    }
    static void run(container& c, const std::vector<Handle>& from) {
        for (const Handle& each : from) c.sum += c.called(each);
    }
};

}  // namespace elements
}  // namespace lab::containers
