// SPDX-License-Identifier: BSL-1.0
// What it costs to make an object with an owner and to drop it: one at a time, among a thousand
// that live, and in bulk, before and after the heap was freed in another order than it was filled
// in. The seed's own program is in peers/seed.cpp, for it is also compiled without optimisation and
// with another standard library.
#include "competitors/all.hpp"
#include "suites/barrier.hpp"
#include "suites/child.hpp"
#include "suites/making.hpp"
#include "suites/pointee.hpp"
#include "suites/random_values.hpp"
#include "suites/settle_heap.hpp"
#include "suites/suite.hpp"
#include "suites/timing.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace lab {
namespace {

template <class Competitor>
using filled = std::vector<handle_of<Competitor>>;

template <class Competitor>
void fill(filled<Competitor>& container) {
    for (const std::uint64_t value : random_values()) {
        container.push_back(make_owned<Competitor, owned<Competitor>>(value));
    }
}

/// Containers are not torn down: they end with the child process.
template <class Competitor>
double time_fill() {
    auto& container = *new filled<Competitor>;
    escape(&container);
    return processor_seconds([&] {
        fill<Competitor>(container);
        barrier();
    });
}

template <class Competitor>
double time_refill() {
    {
        filled<Competitor> before;
        escape(&before);
        fill<Competitor>(before);
        std::sort(before.begin(), before.end(),
                  [](const auto& a, const auto& b) { return a->value < b->value; });
        for (auto& handle : before) {
            Competitor::abandon(handle);
            handle = handle_of<Competitor>();
        }
        barrier();
    }
    return time_fill<Competitor>();
}

}  // namespace

plan plan_construction(const selection& chosen) {
    plan cells;
    const std::vector<std::string> tests = {"one", "1024 alive", "fill", "refill"};
    for_each_selected<all_competitors>(cells, chosen, tests, [&]<class Competitor>() {
        const auto add = [&](const std::string& test, void (*body)(benchmark::State&)) {
            cells.timed.push_back(
                {{Competitor::name, test, {}, "ns"}, body, 1e9 / batch_size, false});
        };
        const auto add_in_a_child = [&](const std::string& test, double (*time)()) {
            const auto body = [kind = chosen.process, time](benchmark::State& state) {
                for (auto _ : state) state.SetIterationTime(measured_in_a_child(kind, time));
            };
            cells.timed.push_back({{Competitor::name, test, pointee_count, "s"}, body, 1.0, true});
        };
        random_values();
        add(tests[0], one<Competitor, benchmark::State>);
        add(tests[1], many<Competitor, benchmark::State>);
        add_in_a_child(tests[2], time_fill<Competitor>);
        add_in_a_child(tests[3], time_refill<Competitor>);
    });
    return cells;
}

}  // namespace lab
