// SPDX-License-Identifier: BSL-1.0
// What a cache of buffers is worth: the article's program to the digit, what policies hit, waste
// and keep idle on several workloads, and how long a buffer takes to be had and given back.
#include <freehold/cache/buffer_cache.hpp>
#include <freehold/cache/buffer_policies.hpp>

#include "suites/buffers/article_states.hpp"
#include "suites/buffers/cache_ways.hpp"
#include "suites/buffers/fronts.hpp"
#include "suites/buffers/times.hpp"
#include "suites/buffers/ways.hpp"
#include "suites/packets/sources/glibc.hpp"
#include "suites/suite.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>

namespace lab {
namespace {

using namespace buffers;
using state = benchmark::State;
using freehold::buffer_cache;
using not_counted = buffer_cache<freehold::greedy_dual_fit, std::chrono::steady_clock, false>;

class time_builder {
public:
    time_builder(plan& into, const selection& chosen) : into_(into), chosen_(chosen) {}

    template <class Way>
    void add_get_and_put(const std::string& competitor) {
        for (const std::int64_t size : sizes_on_one_thread) {
            add(competitor, get_and_put_test, size, [size](state& measured) {
                buffers::get_and_put<Way>(measured, static_cast<std::size_t>(size));
            });
        }
    }
    template <class Way>
    void add_across_threads(const std::string& competitor) {
        for (const std::int64_t size : sizes_across_threads) {
            add(competitor, across_threads_test, size, [size](state& measured) {
                buffers::returned_across_threads<Way>(measured, static_cast<std::size_t>(size));
            });
        }
    }

    /// Of a policy behind a lock, which keeps what it is asked for.
    template <class Policy>
    void add_locked(const std::string& competitor, typename Policy::options how = {}) {
        constexpr std::int64_t size = 1024;
        add(competitor, get_and_put_test, size, [how](state& measured) {
            by_cache<buffer_cache<Policy>> way(how);
            buffers::get_and_put(measured, std::size_t{size}, way);
        });
    }

    void skip(const std::string& competitor, const char* test, const char* reason) {
        if (chosen_.wants(competitor, false)) into_.skipped.push_back({competitor, test, reason});
    }

private:
    void add(const std::string& competitor, const char* test, std::int64_t size,
             std::function<void(state&)> body) {
        if (!chosen_.wants(competitor, false)) return;
        into_.timed.push_back(
            {{competitor, test, size, "ns"}, std::move(body), each_of_them, false});
    }

    plan& into_;
    const selection& chosen_;
};

template <class Allocator>
void add_allocator(time_builder& times) {
    if constexpr (installed<Allocator>) {
        times.add_get_and_put<by_malloc>(Allocator::name);
        times.add_across_threads<by_malloc>(Allocator::name);
    } else {
        times.skip(Allocator::name, get_and_put_test, Allocator::missing);
        times.skip(Allocator::name, across_threads_test, Allocator::missing);
    }
}

void add_times(plan& into, const selection& chosen) {
    time_builder times(into, chosen);
    const std::string ours = "freehold::buffer_cache";
    times.add_get_and_put<by_none>("floor");
    times.add_get_and_put<by_cache<buffer_cache<>>>(ours);
    times.add_get_and_put<by_session<buffer_cache<>>>(ours + ", session");
    times.add_get_and_put<by_cache<not_counted>>(ours + ", not counted");
    times.add_across_threads<by_none>("floor");
    times.add_across_threads<by_cache<buffer_cache<>>>(ours);
    times.add_across_threads<by_session<buffer_cache<>>>(ours + ", session");
    add_allocator<packets::glibc>(times);

    times.add_locked<freehold::keep_largest>("keep_largest");
    times.add_locked<freehold::keep_first_below>("keep_first_below", {.cutoff = 1024});
    times.add_locked<freehold::linear_buckets>("linear_buckets");
    times.add_locked<freehold::geometric_buckets>("geometric_buckets");
    times.add_locked<freehold::power_of_two_buckets>("power_of_two_buckets");
}

}  // namespace

plan plan_buffers(const selection& chosen) {
    plan cells;
    add_article_states(cells, chosen);
    add_fronts(cells, chosen);
    add_times(cells, chosen);
    return cells;
}

}  // namespace lab
