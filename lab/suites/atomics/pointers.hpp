// SPDX-License-Identifier: BSL-1.0
// The cost of a pointer that many threads read and few replace. The suite measures the readers and
// the writers.
#pragma once

#include "runner/child.hpp"
#include "runner/registry.hpp"
#include "subjects/pointer.hpp"
#include "suites/atomics/scene.hpp"
#include "suites/atomics/storm.hpp"
#include "suites/common/heap_bytes.hpp"
#include "suites/common/thread_processors.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lab::atomics {

/// The reads of a thread between two readings of the clock, as in the suite `threads`.
constexpr std::size_t batch_size = 8192;
/// The same for stores and updates, which may take some 10 us each.
constexpr std::size_t stores_per_batch = 512;
constexpr std::size_t many = 1024;
constexpr std::size_t counted_pointers = 10'000;

template <class Subject, std::size_t Count>
void read(kernel_state& state, std::size_t threads) {
    const auto shared = std::make_unique<scene<Subject, Count>>();
    perform(state, threads, *shared, [](auto& reader, std::size_t) { reader.read(batch_size); });
}

/// Two threads read. One of them stores after each `reads` reads of both together.
constexpr std::array<std::size_t, 3> reads_for_each_store = {10, 1000, 1'000'000};

constexpr std::size_t mixed_batch(std::size_t reads) {
    return std::max(batch_size, reads / 2);
}

template <class Subject>
void read_mostly(kernel_state& state, std::size_t reads) {
    const auto shared = std::make_unique<scene<Subject>>();
    // The two threads store alternately. Each stores after `reads` reads of its own, and they start
    // half of that apart.
    const auto act = [reads, left = std::size_t{0}](auto& actor, std::size_t number) mutable {
        if (left == 0) left = (2 * number + 1) * reads / 4;
        for (std::size_t more = mixed_batch(reads); more != 0;) {
            const std::size_t now = std::min(more, left);
            actor.read(now);
            more -= now;
            left -= now;
            if (left != 0) continue;
            actor.store();
            left = reads;
        }
    };
    perform(state, 2, *shared, act);
}

template <class Subject>
void store_alone(kernel_state& state) {
    const auto shared = std::make_unique<scene<Subject>>();
    perform(state, 1, *shared, [](auto& writer, std::size_t) {
        for (std::size_t i = 0; i < stores_per_batch; ++i) writer.store();
    });
}

template <class Subject>
void update(kernel_state& state, std::size_t threads) {
    const auto shared = std::make_unique<scene<Subject>>();
    std::atomic<std::uint64_t> updates{0};
    perform(state, threads, *shared, [&](auto& writer, std::size_t) {
        for (std::size_t i = 0; i < stores_per_batch; ++i) writer.update();
        updates.fetch_add(stores_per_batch, std::memory_order_relaxed);
    });
    if (Subject::protects && shared->value() != updates.load(std::memory_order_relaxed)) {
        throw std::logic_error(std::string(Subject::is.name) + ": an update was lost");
    }
}

/// Returns the bytes of a pointer and its object, without the object's own size.
template <class Subject>
double bytes_beyond_the_object() {
    map_no_blocks();
    const std::size_t before = heap_bytes();
    const auto all = std::make_unique<std::array<pointer_of<Subject>, counted_pointers>>();
    const double each = static_cast<double>(heap_bytes() - before) / counted_pointers;
    // Rounded up to a multiple of four bytes: where an allocator aligns its chunks, the mean varies
    // by a tenth of a byte.
    return std::ceil(each / 4) * 4 - sizeof(object);
}

class builder {
public:
    builder(plan& into, const identity& of) : into_(into), subject_(key_of(of.name)) {}

    using kernel_of = void (*)(kernel_state&, std::size_t);

    void add(const char* test, std::size_t operations, kernel measure) {
        add_kernel(into_, {subject_, test}, 1e9 / static_cast<double>(operations), measure);
    }
    void add(const char* test, std::size_t n, std::size_t operations, kernel_of measure) {
        add_kernel(into_, {subject_, test, static_cast<std::int64_t>(n)},
                   1e9 / static_cast<double>(operations),
                   [measure, n](kernel_state& state) { measure(state, n); });
    }
    /// Each iteration is one measurement. It returns the seconds for one operation.
    template <class Seconds>
    void add_once(figure what, Seconds seconds) {
        what.subject = subject_;
        into_.timed.push_back({std::move(what),
                               [seconds](std::int64_t iterations) {
                                   double sum = 0;
                                   for (; iterations > 0; --iterations) sum += seconds();
                                   return measured_time{sum, true};
                               },
                               1e9, true});
    }
    void add_exact(const char* test, double value) {
        into_.exact.push_back({{subject_, test}, value});
    }
    void skip(const char* test, const std::string& why) {
        into_.skipped.push_back({subject_, test, why});
    }

private:
    plan& into_;
    std::string subject_;
};

struct suite : one_subject {
    static constexpr std::array<std::string_view, 10> cases = {
        "read.one_pointer", "read.one_of_many", "read_mostly", "storm.read",
        "storm.latency",    "storm.store",      "store",       "update",
        "pointer",          "beyond_the_object"};

    template <class Subject>
    static void add(plan& cells, const selection& chosen) {
        builder plan(cells, Subject::is);
        for (const std::size_t threads : thread_counts()) {
            plan.add("read.one_pointer", threads, batch_size, read<Subject, 1>);
            plan.add("read.one_of_many", threads, batch_size, read<Subject, many>);
            plan.add("update", threads, stores_per_batch, update<Subject>);
        }
        for (const std::size_t reads : reads_for_each_store) {
            plan.add("read_mostly", reads, mixed_batch(reads), read_mostly<Subject>);
        }
        plan.add("store", stores_per_batch, store_alone<Subject>);
        for (const std::size_t readers : reader_counts()) {
            const auto n = static_cast<std::int64_t>(readers);
            plan.add_once({"", "storm.store", n}, [readers] {
                return seconds_in_a_storm<Subject>(readers, storm_role::writer);
            });
            if (processors_of(readers + 1) == processors::shared) continue;
            plan.add_once({"", "storm.read", n}, [readers] {
                return seconds_in_a_storm<Subject>(readers, storm_role::reader);
            });
        }
        plan.add_once({"", "storm.latency"}, slow_read_seconds<Subject>);
        plan.add_exact("pointer", sizeof(pointer_of<Subject>));
        if (const std::string why = why_no_heap_bytes(); why.empty()) {
            plan.add_exact("beyond_the_object", measured_in_a_child(chosen.process, [] {
                               return bytes_beyond_the_object<Subject>();
                           }));
        } else {
            plan.skip("beyond_the_object", why);
        }
    }
};

}  // namespace lab::atomics
