// SPDX-License-Identifier: BSL-1.0
// The container test of "Smart Pointer Timings": a vector and a list are filled with handles to
// 300,000 pointees that hold a random value, and sorted by that value. Filling includes the
// pointees' allocation and the container's growth; what is torn down is torn down outside the
// timing.
#include "competitors/all.hpp"
#include "suites/pointee.hpp"
#include "suites/suite.hpp"
#include "suites/timing.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <random>
#include <vector>

namespace lab {
namespace {

constexpr std::size_t pointee_count = 300'000;

/// The same sequence for every competitor, on every run.
const std::vector<std::uint64_t>& values() {
    static const std::vector<std::uint64_t> sequence = [] {
        std::mt19937_64 random(20000127);
        std::vector<std::uint64_t> v(pointee_count);
        for (std::uint64_t& value : v) value = random();
        return v;
    }();
    return sequence;
}

template <class Competitor, class Container>
void fill(Container& container) {
    using handle = typename Container::value_type;
    for (const std::uint64_t value : values()) {
        container.push_back(handle(new pointee<Competitor>(value)));
    }
}

constexpr auto by_value = [](const auto& a, const auto& b) { return a->value < b->value; };

template <class T, class Order>
void sort(std::vector<T>& container, Order order) {
    std::sort(container.begin(), container.end(), order);
}

template <class T, class Order>
void sort(std::list<T>& container, Order order) {
    container.sort(order);
}

/// In the order of addresses, because pools hand out their blocks in the order in which they came
/// back.
template <class Competitor, class Container>
void tear_down(Container& container) {
    sort(container, [](const auto& a, const auto& b) { return std::less<>()(&*a, &*b); });
    for (auto& handle : container) Competitor::abandon(handle);
    container.clear();
}

template <class Competitor, class Container>
void time_fill(benchmark::State& state) {
    values();
    for (auto _ : state) {
        settle_heap();
        Container container;
        const auto begin = clock::now();
        fill<Competitor>(container);
        benchmark::ClobberMemory();
        state.SetIterationTime(seconds_since(begin));
        tear_down<Competitor>(container);
    }
}

template <class Competitor, class Container>
void time_sort(benchmark::State& state) {
    for (auto _ : state) {
        settle_heap();
        Container container;
        fill<Competitor>(container);
        benchmark::ClobberMemory();
        const auto begin = clock::now();
        sort(container, by_value);
        benchmark::ClobberMemory();
        state.SetIterationTime(seconds_since(begin));
        tear_down<Competitor>(container);
    }
}

}  // namespace

plan plan_containers(const selection& chosen) {
    plan cells;
    const std::vector<std::string> tests = {"vector fill", "vector sort", "list fill", "list sort"};
    for_each_selected<all_competitors>(cells, chosen, tests, [&]<class Competitor>() {
        using handle = typename Competitor::template handle<pointee<Competitor>>;
        const auto add = [&](const std::string& test, void (*body)(benchmark::State&)) {
            cells.timed.push_back({{Competitor::name, test, pointee_count, "s"}, body, 1.0, true});
        };
        add(tests[0], time_fill<Competitor, std::vector<handle>>);
        add(tests[1], time_sort<Competitor, std::vector<handle>>);
        add(tests[2], time_fill<Competitor, std::list<handle>>);
        add(tests[3], time_sort<Competitor, std::list<handle>>);
    });
    return cells;
}

}  // namespace lab
