// SPDX-License-Identifier: BSL-1.0
// What containers and algorithms do to handles: they move, swap, copy and drop thousands of them.
// Each test is a struct with the container that it uses and two functions: `prepare` is not timed,
// `run` is. The figure is the time for each of the container's n handles.
#pragma once

#include "subjects/handle.hpp"
#include "suites/common/barrier.hpp"
#include "suites/common/pointee.hpp"
#include "suites/common/state.hpp"
#include "suites/common/timing.hpp"
#include "suites/containers/random_values.hpp"

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

/// The most pointees of a test. The test moves handles, and so many pointees stay in the cache.
constexpr std::size_t most_pointees = 4096;

/// The number of containers of n handles between two readings of the clock. Together they hold at
/// least 4096 handles.
constexpr std::size_t containers_of(std::size_t n) {
    return (4096 + n - 1) / n;
}

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
