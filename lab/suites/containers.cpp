// SPDX-License-Identifier: BSL-1.0
// The container test of "Smart Pointer Timings": a vector and a list are filled with handles to
// 300,000 pointees that hold a random value, and sorted by that value. Filling includes the
// pointees' allocation and the container's growth; what is torn down is torn down outside the
// timing.
#include "competitors/all.hpp"
#include "suites/barrier.hpp"
#include "suites/child.hpp"
#include "suites/pointee.hpp"
#include "suites/random_values.hpp"
#include "suites/suite.hpp"
#include "suites/timing.hpp"

#include <algorithm>
#include <cstdint>
#include <list>
#include <vector>

namespace lab {
namespace {

template <class Competitor, class Container>
void fill(Container& container) {
    for (const std::uint64_t value : random_values()) {
        container.push_back(make_owned<Competitor, pointee<Competitor>>(value));
    }
}

constexpr auto by_value = [](const auto& a, const auto& b) { return a->value < b->value; };

template <class T>
void sort(std::vector<T>& container) {
    std::sort(container.begin(), container.end(), by_value);
}

template <class T>
void sort(std::list<T>& container) {
    container.sort(by_value);
}

template <class Competitor, class Container>
double time_fill() {
    auto& container = *new Container;
    escape(&container);
    return processor_seconds([&] {
        fill<Competitor>(container);
        barrier();
    });
}

template <class Competitor, class Container>
double time_sort() {
    auto& container = *new Container;
    escape(&container);
    fill<Competitor>(container);
    barrier();
    return processor_seconds([&] {
        sort(container);
        barrier();
    });
}

}  // namespace

plan plan_containers(const selection& chosen) {
    plan cells;
    const std::vector<std::string> tests = {"vector fill", "vector sort", "list fill", "list sort"};
    for_each_selected<all_competitors>(cells, chosen, tests, [&]<class Competitor>() {
        using handle = typename Competitor::template handle<pointee<Competitor>>;
        const auto add = [&](const std::string& test, double (*time)()) {
            const auto body = [kind = chosen.process, time](benchmark::State& state) {
                for (auto _ : state) state.SetIterationTime(measured_in_a_child(kind, time));
            };
            cells.timed.push_back({{Competitor::name, test, pointee_count, "s"}, body, 1.0, true});
        };
        random_values();
        add(tests[0], time_fill<Competitor, std::vector<handle>>);
        add(tests[1], time_sort<Competitor, std::vector<handle>>);
        add(tests[2], time_fill<Competitor, std::list<handle>>);
        add(tests[3], time_sort<Competitor, std::list<handle>>);
    });
    return cells;
}

}  // namespace lab
