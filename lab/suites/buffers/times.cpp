// SPDX-License-Identifier: BSL-1.0
// How long it takes to get a buffer and give it back.
#include "suites/buffers/times.hpp"

#include <freehold/buffer/buffer_cache.hpp>
#include <freehold/buffer/buffer_policies.hpp>

#include "runner/registry.hpp"
#include "suites/buffers/cache_ways.hpp"
#include "suites/buffers/subjects.hpp"
#include "suites/buffers/ways.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>

namespace lab::buffers {
namespace {

using freehold::buffer_cache;
using not_counted = buffer_cache<freehold::greedy_dual_fit, std::chrono::steady_clock, false>;

class builder {
public:
    builder(plan& into, const selection& chosen) : into_(into), chosen_(chosen) {}

    template <class Way>
    void add_get_and_put(const identity& of) {
        for (const std::int64_t size : sizes_on_one_thread) {
            add(of, get_and_put_case, size, [size](kernel_state& state) {
                get_and_put<Way>(state, static_cast<std::size_t>(size));
            });
        }
    }
    template <class Way>
    void add_both(const identity& of) {
        add_get_and_put<Way>(of);
        for (const std::int64_t size : sizes_across_threads) {
            add(of, across_threads_case, size, [size](kernel_state& state) {
                returned_across_threads<Way>(state, static_cast<std::size_t>(size));
            });
        }
    }

    /// Adds a policy behind a lock. It keeps all buffers that it is asked to keep.
    template <class Policy>
    void add_locked(const identity& of, typename Policy::options how = {}) {
        constexpr std::int64_t size = 1024;
        add(of, get_and_put_case, size, [how](kernel_state& state) {
            by_cache<buffer_cache<Policy>> way(how);
            get_and_put(state, std::size_t{size}, way);
        });
    }

private:
    void add(const identity& of, const char* case_key, std::int64_t size,
             std::function<void(kernel_state&)> body) {
        if (!chosen_.wants(of)) return;
        add_kernel(into_, {key_of(of.name), case_key, size}, each_of_them, std::move(body));
    }

    plan& into_;
    const selection& chosen_;
};

void add_times(plan& into, const selection& chosen) {
    builder times(into, chosen);
    times.add_both<by_none>(subjects::lower_bound);
    times.add_both<by_cache<buffer_cache<>>>(subjects::cache);
    times.add_both<by_session<buffer_cache<>>>(subjects::session);
    times.add_get_and_put<by_cache<not_counted>>(subjects::not_counted);
    times.add_both<by_malloc>(subjects::glibc);
    times.add_locked<freehold::keep_largest>(subjects::keep_largest);
    times.add_locked<freehold::keep_first_below>(subjects::keep_first_below, {.cutoff = 1024});
    times.add_locked<freehold::linear_buckets>(subjects::linear_buckets);
    times.add_locked<freehold::geometric_buckets>(subjects::geometric_buckets);
    times.add_locked<freehold::power_of_two_buckets>(subjects::power_of_two_buckets);
}

const registration here("buffers", add_times,
                        subjects_of({subjects::lower_bound, subjects::cache, subjects::session,
                                     subjects::not_counted, subjects::glibc}));

}  // namespace
}  // namespace lab::buffers
