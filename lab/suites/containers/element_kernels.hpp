// SPDX-License-Identifier: BSL-1.0
// Kernels of the tests in elements.hpp. The figure is the time for each of the container's n
// handles.
#pragma once

#include "subjects/handle.hpp"
#include "suites/common/barrier.hpp"
#include "suites/common/pointee.hpp"
#include "suites/common/state.hpp"
#include "suites/common/timing.hpp"
#include "suites/containers/elements.hpp"
#include "suites/containers/random_values.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace lab::containers {

/// The most pointees of a test. The test moves handles, and so many pointees stay in the cache.
constexpr std::size_t most_pointees = 4096;

/// The number of containers of n handles between two readings of the clock. Together they hold at
/// least 4096 handles.
constexpr std::size_t containers_of(std::size_t n) {
    return (4096 + n - 1) / n;
}

namespace elements {

/// Drops the last handle of each pointee.
template <class Subject>
struct last_release {
    using handle = typename Subject::template handle<pointee<Subject>>;
    using container = std::vector<handle>;
    static void prepare(container& full, const std::vector<handle>& from) {
        full.reserve(from.size());
        while (full.size() < from.size()) full.push_back(make_owned<Subject, pointee<Subject>>());
    }
    static void run(container& full, const std::vector<handle>&) {
        for (handle& last : full) Subject::abandon(last);
        full.clear();
    }
};

}  // namespace elements

/// The n handles that a test copies. They own at most `most_pointees` pointees.
template <class Subject>
class original_handles {
public:
    using handle = typename Subject::template handle<pointee<Subject>>;

    [[gnu::noinline]] explicit original_handles(std::size_t n) {
        for (std::size_t i = 0; i < std::min(n, most_pointees); ++i)
            pointees_.push_back(make_owned<Subject, pointee<Subject>>(random_values()[i]));
        for (std::size_t i = 0; i < n; ++i) all_.push_back(pointees_[i % pointees_.size()]);
        escape(all_.data());
    }
    [[gnu::noinline]] ~original_handles() {
        all_.clear();
        for (handle& last : pointees_) Subject::abandon(last);
    }
    original_handles(const original_handles&) = delete;
    original_handles& operator=(const original_handles&) = delete;

    const std::vector<handle>& all() const noexcept { return all_; }

private:
    std::vector<handle> pointees_;
    std::vector<handle> all_;
};

template <class Subject, class Test>
void work_on_elements(kernel_state& state, std::size_t n) {
    const original_handles<Subject> originals(n);
    const auto& from = originals.all();
    std::vector<typename Test::container> containers(containers_of(n));
    escape(containers.data());
    const auto prepare = [&] {
        for (auto& each : containers) Test::prepare(each, from);
        barrier();
    };
    const auto run = [&] {
        for (auto& each : containers) {
            Test::run(each, from);
            barrier();
        }
    };
    for ([[maybe_unused]] auto _ : state)
        state.set_iteration_time(undisturbed_seconds(prepare, run));
}

using element_kernel = void (*)(kernel_state& state, std::size_t n);

/// Calls `add(key, element_kernel)` for each test.
template <class Subject, class Add>
void for_each_element_test(const Add& add) {
    using handle = typename Subject::template handle<pointee<Subject>>;
    add("insert_front", work_on_elements<Subject, elements::insert_front<handle>>);
    add("insert_middle", work_on_elements<Subject, elements::insert_middle<handle>>);
    add("insert_range", work_on_elements<Subject, elements::insert_range<handle>>);
    add("erase_front", work_on_elements<Subject, elements::erase_front<handle>>);
    add("erase_middle", work_on_elements<Subject, elements::erase_middle<handle>>);
    add("grow", work_on_elements<Subject, elements::grow<handle>>);
    add("rotate", work_on_elements<Subject, elements::rotate<handle>>);
    add("reverse", work_on_elements<Subject, elements::reverse<handle>>);
    add("sort", work_on_elements<Subject, elements::sort<handle>>);
    add("partition", work_on_elements<Subject, elements::partition<handle>>);
    add("remove", work_on_elements<Subject, elements::remove<handle>>);
    add("heap", work_on_elements<Subject, elements::heap<handle>>);
    add("copy", work_on_elements<Subject, elements::copy<handle>>);
    add("assign", work_on_elements<Subject, elements::assign<handle>>);
    add("clear", work_on_elements<Subject, elements::clear<handle>>);
    add("last_release", work_on_elements<Subject, elements::last_release<Subject>>);
    add("queue", work_on_elements<Subject, elements::queue<handle>>);
    add("map", work_on_elements<Subject, elements::map<handle>>);
    add("unordered_map", work_on_elements<Subject, elements::unordered_map<handle>>);
    add("optional", work_on_elements<Subject, elements::optional<handle>>);
    add("variant", work_on_elements<Subject, elements::variant<handle>>);
    add("any", work_on_elements<Subject, elements::any<handle>>);
    add("function", work_on_elements<Subject, elements::function<handle>>);
}

}  // namespace lab::containers
