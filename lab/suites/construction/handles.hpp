// SPDX-License-Identifier: BSL-1.0
// The cost of making an object with an owner and dropping it: one at a time, among a thousand live
// objects, and in bulk. Bulk is measured on a fresh heap, and on one that was freed in another
// order than it was filled. The article's program is in processes/article.cpp: it is also compiled
// without optimisation and with another standard library.
#pragma once

#include "runner/registry.hpp"
#include "subjects/handle.hpp"
#include "suites/common/barrier.hpp"
#include "suites/common/pointee.hpp"
#include "suites/common/settle_heap.hpp"
#include "suites/common/timing.hpp"
#include "suites/construction/making.hpp"
#include "suites/containers/random_values.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lab::construction {

template <class Subject>
using filled = std::vector<handle_of<Subject>>;

template <class Subject>
void fill(filled<Subject>& container) {
    for (const std::uint64_t value : random_values()) {
        container.push_back(make_owned<Subject, owned<Subject>>(value));
    }
}

/// The containers are not destroyed: they end with the child process.
template <class Subject>
double time_fill() {
    auto& container = *new filled<Subject>;
    escape(&container);
    return processor_seconds([&] {
        fill<Subject>(container);
        barrier();
    });
}

template <class Subject>
double time_refill() {
    {
        filled<Subject> before;
        escape(&before);
        fill<Subject>(before);
        std::sort(before.begin(), before.end(),
                  [](const auto& a, const auto& b) { return a->value < b->value; });
        for (auto& handle : before) {
            Subject::abandon(handle);
            handle = handle_of<Subject>();
        }
        barrier();
    }
    return time_fill<Subject>();
}

struct suite : one_subject {
    static constexpr std::array<std::string_view, 4> cases = {"one", "1024_alive", "fill",
                                                              "refill"};

    template <class Subject>
    static void add(plan& cells, const selection& chosen) {
        const std::string key = key_of(Subject::is.name);
        random_values();  // before the lab forks a child
        add_kernel(cells, {key, "one"}, 1e9 / batch_size, one<Subject>);
        add_kernel(cells, {key, "1024_alive"}, 1e9 / batch_size, many<Subject>);
        add_in_a_child(cells, {key, "fill", pointee_count}, 1, chosen.process, time_fill<Subject>);
        add_in_a_child(cells, {key, "refill", pointee_count}, 1, chosen.process,
                       time_refill<Subject>);
    }
};

}  // namespace lab::construction
