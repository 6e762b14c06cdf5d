// SPDX-License-Identifier: BSL-1.0
// What it costs to free what refers to itself: each test makes and drops a million rings or
// objects, and is run twice,
// once for its time per ring or object and once for its longest operation. Each run has a child
// process of its own, so that no collector profits from the heap that an earlier one left behind.
#include "competitors/collectors/boehm_collector.hpp"
#include "competitors/collectors/cyclic_collector.hpp"
#include "competitors/collectors/hand_cut.hpp"
#include "suites/barrier.hpp"
#include "suites/child.hpp"
#include "suites/suite.hpp"
#include "suites/timing.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace lab {
namespace {

using all_collectors = competitor_list<cyclic_collector, boehm_collector, hand_cut>;

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

/// Nothing live but the ring at hand.
template <class Collector>
class rings_alone {
public:
    static constexpr std::size_t operations = million;

    void operator()() { make_and_drop_ring<Collector>(); }
};

/// A million objects, each held by a handle from outside and with an edge to the next.
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

/// A tree of a million objects, held by its root alone, whose handle is copied and dropped at every
/// ring.
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

/// No cycle at all: what a collector costs those who make none.
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

/// Graphs whose nodes have two edges to nodes chosen at random; the same graphs for every
/// competitor.
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

}  // namespace

plan plan_cycles(const selection& chosen) {
    plan cells;
    const std::vector<std::string> tests = {"ring", "ring beside a million",
                                            "ring with a live head", "chain", "random graph"};
    std::vector<std::string> all_tests;
    for (const std::string& test : tests)
        all_tests.insert(all_tests.end(), {test, test + " pause"});

    for_each_selected<all_collectors>(cells, chosen, all_tests, [&]<class Collector>() {
        const auto add_cell = [&](const std::string& test, const char* unit, double (*time)(),
                                  double scale) {
            const auto body = [kind = chosen.process, time](benchmark::State& state) {
                for (auto _ : state) state.SetIterationTime(measured_in_a_child(kind, time));
            };
            cells.timed.push_back({{Collector::name, test, std::nullopt, unit}, body, scale, true});
        };
        const auto add = [&]<class Work>(const std::string& test, std::type_identity<Work>) {
            add_cell(test, "ns", time_all<Collector, Work>, 1e9 / million);
            add_cell(test + " pause", "ms", time_longest<Collector, Work>, 1e3);
        };
        add(tests[0], std::type_identity<rings_alone<Collector>>());
        add(tests[1], std::type_identity<rings_beside_a_million<Collector>>());
        add(tests[2], std::type_identity<rings_with_a_live_head<Collector>>());
        add(tests[3], std::type_identity<chains<Collector>>());
        add(tests[4], std::type_identity<random_graphs<Collector>>());
    });
    return cells;
}

}  // namespace lab
