// SPDX-License-Identifier: BSL-1.0
// The cost of freeing objects that refer to themselves. Each case makes and drops a million rings
// or objects. It runs twice: once for its time per ring or object, and once for its longest
// operation. Each run has its own child process, so that no collector profits from the heap that an
// earlier one left behind.
#pragma once

#include "runner/registry.hpp"
#include "subjects/collector.hpp"
#include "suites/common/barrier.hpp"
#include "suites/common/timing.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace lab::cycles {

constexpr std::size_t million = 1'000'000;
constexpr std::size_t chain_length = 1000;
constexpr std::size_t graph_size = 1000;

template <class Collector, std::size_t Edges>
struct node {
    using handle = typename Collector::template handle<node>;

    template <class Visitor>
    void trace(Visitor& visit) {
        for (handle& edge : edges) visit(edge);
    }

    std::array<handle, Edges> edges{};
    std::uint64_t value = 0;
};

template <class Collector>
void make_and_drop_ring() {
    using link = node<Collector, 1>;
    auto a = Collector::template make<link>();
    auto b = Collector::template make<link>();
    a->edges[0] = b;
    b->edges[0] = a;
    escape(&a);
    Collector::cut(a->edges[0]);
}

/// No object is alive except the current ring.
template <class Collector>
class rings_alone {
public:
    static constexpr std::size_t operations = million;

    void operator()() { make_and_drop_ring<Collector>(); }
};

/// A million objects live. A handle outside holds each of them, and each has an edge to the next.
template <class Collector>
class rings_beside_a_million {
    using link = node<Collector, 1>;
    using handle = typename link::handle;

public:
    static constexpr std::size_t operations = million;

    rings_beside_a_million() {
        live_.reserve(million);
        for (std::size_t i = 0; i < million; ++i) {
            live_.push_back(Collector::template make<link>());
            if (i > 0) live_[i - 1]->edges[0] = live_[i];
        }
    }

    void operator()() { make_and_drop_ring<Collector>(); }

private:
    std::vector<handle, typename Collector::template allocator<handle>> live_;
};

/// A tree of a million objects lives, and only its root is held. The root's handle is copied and
/// dropped for every ring.
template <class Collector>
class rings_with_a_live_head {
    using branch = node<Collector, 2>;
    using handle = typename branch::handle;

public:
    static constexpr std::size_t operations = million;

    rings_with_a_live_head() {
        std::vector<handle, typename Collector::template allocator<handle>> tree;
        tree.reserve(million);
        for (std::size_t i = 0; i < million; ++i) {
            tree.push_back(Collector::template make<branch>());
            if (i > 0) tree[(i - 1) / 2]->edges[(i - 1) % 2] = tree[i];
        }
        head_ = tree.front();
        escape(&head_);
    }

    void operator()() {
        {
            handle touched = head_;
            escape(&touched);
        }
        make_and_drop_ring<Collector>();
    }

private:
    handle head_{};
};

/// The objects form no cycle. The case shows what a collector costs programs without cycles.
template <class Collector>
class chains {
    using link = node<Collector, 1>;
    using handle = typename link::handle;

public:
    static constexpr std::size_t operations = million / chain_length;

    void operator()() {
        handle head{};
        for (std::size_t i = 0; i < chain_length; ++i) {
            handle next = Collector::template make<link>();
            next->edges[0] = std::move(head);
            head = std::move(next);
        }
        escape(&head);
    }
};

/// Graphs whose nodes have two edges to random nodes. The graphs are the same for every subject.
template <class Collector>
class random_graphs {
    using vertex = node<Collector, 2>;
    using handle = typename vertex::handle;

public:
    static constexpr std::size_t operations = million / graph_size;

    void operator()() {
        std::array<handle, graph_size> graph{};
        escape(&graph);
        for (handle& v : graph) v = Collector::template make<vertex>();
        for (handle& v : graph) {
            for (handle& edge : v->edges) edge = graph[random_() % graph_size];
        }
        barrier();
        for (handle& v : graph) {
            for (handle& edge : v->edges) Collector::cut(edge);
        }
        barrier();
    }

private:
    std::minstd_rand random_{20010701};
};

template <class Collector, class Work>
double time_all() {
    Collector::start();
    Work work;
    Collector::settle();
    return processor_seconds([&] {
        for (std::size_t i = 0; i < Work::operations; ++i) work();
    });
}

template <class Collector, class Work>
double time_longest() {
    Collector::start();
    Work work;
    Collector::settle();
    const processor_clock clock(processor_clock::of::thread);
    double longest = 0;
    double before = clock.seconds();
    for (std::size_t i = 0; i < Work::operations; ++i) {
        work();
        const double after = clock.seconds();
        longest = std::max(longest, after - before);
        before = after;
    }
    return longest;
}

struct suite : one_subject {
    static constexpr std::array<std::string_view, 10> cases = {
        "ring",         "ring.pause",        "ring_beside_a_million", "ring_beside_a_million.pause",
        "chain",        "chain.pause",       "ring_with_a_live_head", "ring_with_a_live_head.pause",
        "random_graph", "random_graph.pause"};

    template <class Collector>
    static void add(plan& cells, const selection& chosen) {
        const auto add = [&]<class Work>(const std::string& test, std::type_identity<Work>) {
            const std::string key = key_of(Collector::is.name);
            add_in_a_child(cells, {key, test}, 1e9 / million, chosen.process,
                           time_all<Collector, Work>);
            add_in_a_child(cells, {key, test + ".pause"}, 1e3, chosen.process,
                           time_longest<Collector, Work>);
        };
        add("ring", std::type_identity<rings_alone<Collector>>());
        add("ring_beside_a_million", std::type_identity<rings_beside_a_million<Collector>>());
        add("ring_with_a_live_head", std::type_identity<rings_with_a_live_head<Collector>>());
        add("chain", std::type_identity<chains<Collector>>());
        add("random_graph", std::type_identity<random_graphs<Collector>>());
    }
};

}  // namespace lab::cycles
