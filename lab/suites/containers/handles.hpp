// SPDX-License-Identifier: BSL-1.0
// The container test of "Smart Pointer Timings". It fills a vector and a list with handles to
// 300,000 pointees that hold a random value, and sorts them by that value. The time to fill
// includes the pointees' allocation and the container's growth. The containers are destroyed
// outside the timing. The suite also measures what containers do to handles: see elements.hpp.
#pragma once

#include "runner/registry.hpp"
#include "runner/suites.hpp"
#include "subjects/handle.hpp"
#include "suites/common/barrier.hpp"
#include "suites/common/pointee.hpp"
#include "suites/common/state.hpp"
#include "suites/common/timing.hpp"
#include "suites/containers/element_kernels.hpp"
#include "suites/containers/random_values.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <list>
#include <string_view>
#include <type_traits>
#include <vector>

namespace lab::containers {

template <class Subject, class Container>
void fill(Container& container) {
    for (const std::uint64_t value : random_values()) {
        container.push_back(make_owned<Subject, pointee<Subject>>(value));
    }
}

template <class T>
void sort(std::vector<T>& container) {
    std::sort(container.begin(), container.end(), by_value);
}

template <class T>
void sort(std::list<T>& container) {
    container.sort(by_value);
}

template <class Subject, class Container>
double time_fill() {
    auto& container = *new Container;
    escape(&container);
    return processor_seconds([&] {
        fill<Subject>(container);
        barrier();
    });
}

template <class Subject, class Container>
double time_sort() {
    auto& container = *new Container;
    escape(&container);
    fill<Subject>(container);
    barrier();
    return processor_seconds([&] {
        sort(container);
        barrier();
    });
}

struct suite : one_subject {
    static constexpr std::array<std::string_view, 4> cases = {"vector_fill", "vector_sort",
                                                              "list_fill", "list_sort"};

    template <class Subject>
    static void add(plan& cells, const selection& chosen) {
        using handle = typename Subject::template handle<pointee<Subject>>;
        const auto add = [&](const char* test, double (*seconds)()) {
            add_in_a_child(cells, {key_of(Subject::is.name), test, pointee_count}, 1,
                           chosen.process, seconds);
        };
        random_values();  // before the lab forks a child
        add("vector_fill", time_fill<Subject, std::vector<handle>>);
        add("vector_sort", time_sort<Subject, std::vector<handle>>);
        add("list_fill", time_fill<Subject, std::list<handle>>);
        add("list_sort", time_sort<Subject, std::list<handle>>);
        if constexpr (measured_as_element<Subject>) add_element_tests<Subject>(cells);
    }

private:
    /// The subjects that make their pointees in their cheapest way. The way a pointee was made does
    /// not matter to its handles.
    template <class Subject>
    static constexpr bool measured_as_element =
        !Subject::is.folded &&
        std::is_copy_constructible_v<typename Subject::template handle<pointee<Subject>>> &&
        (Subject::is.family == family::lower_bound || in_place<Subject, pointee<Subject>> ||
         !std::is_same_v<typename Subject::template base<pointee<Subject>>, no_count>);

    template <class Subject>
    static void add_element_tests(plan& cells) {
        const described_suite& described = find_suite("containers");
        for_each_element_test<Subject>([&](const char* test, element_kernel run) {
            for (const std::int64_t n : described.find(test).sizes) {
                const auto size = static_cast<std::size_t>(n);
                add_kernel(cells, {key_of(Subject::is.name), test, n},
                           1e9 / static_cast<double>(size * containers_of(size)),
                           [run, size](kernel_state& state) { run(state, size); });
            }
        });
    }
};

}  // namespace lab::containers
