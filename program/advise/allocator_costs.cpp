// SPDX-License-Identifier: BSL-1.0
#include "advise/allocator_costs.hpp"

#include <freehold/buffer/buffer_cache.hpp>
#include <freehold/buffer/policies/greedy_dual_fit.hpp>

#include "support/nanoseconds_of.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <new>
#include <numeric>
#include <random>
#include <utility>

namespace freehold {

namespace {

constexpr std::array<std::size_t, 3> small_sizes{64, 256, 1024};

// The cost of a large buffer depends on the allocations and frees before it. Therefore the
// measurement runs a program with several sizes that always does the same.
constexpr std::array<std::size_t, 5> large_sizes{4096, 16384, 65536, 262144, 1048576};
constexpr std::size_t most_in_use = 8;
constexpr int operations = 20000;
// Of 1,000 costs, how many of the highest the mean leaves out. Another program ran during these.
constexpr std::size_t disturbed = 20;

std::byte* allocate(std::size_t size) {
    auto* const got = static_cast<std::byte*>(std::malloc(size));
    if (got == nullptr) throw std::bad_alloc();
    touch_pages(got, size);
    return got;
}

/// Measures four buffers at once, because glibc's cache of each thread holds as many.
double cost_of_small(std::size_t size) {
    std::array<std::byte*, 4> got{};
    return support::nanoseconds_of([&] {
               for (std::byte*& each : got) each = allocate(size);
               for (std::byte* each : got) std::free(each);
           }) /
           got.size();
}

/// The mean of all costs except the highest.
double mean_of(std::vector<double> costs) {
    const std::size_t kept = costs.size() - costs.size() * disturbed / 1000;
    std::nth_element(costs.begin(), costs.begin() + static_cast<std::ptrdiff_t>(kept - 1),
                     costs.end());
    costs.resize(kept);
    return std::accumulate(costs.begin(), costs.end(), 0.0) / static_cast<double>(kept);
}

std::vector<allocation_cost> costs_of_large() {
    struct in_use {
        std::byte* data;
        std::size_t which;
        double cost;
    };
    std::vector<in_use> got;
    std::array<std::vector<double>, large_sizes.size()> costs;
    const double of_clock = cost_of_clock();
    std::minstd_rand random;
    const auto coin = [&] { return (random() >> 10U & 1U) != 0; };
    for (int i = 0; i != operations; ++i) {
        if (got.empty() || (got.size() < most_in_use && coin())) {
            std::size_t which = 0;
            while (which + 1 != large_sizes.size() && coin()) ++which;
            const auto begin = cost_clock::now();
            std::byte* const data = allocate(large_sizes[which]);
            const auto allocated = cost_clock::now();
            touch_pages(data, large_sizes[which]);
            const auto touched = cost_clock::now();
            const cost_ns cost = (allocated - begin) - (touched - allocated);
            got.push_back({data, which, cost.count()});
        } else {
            in_use& victim = got[(random() >> 10U) % got.size()];
            const auto begin = cost_clock::now();
            std::free(victim.data);
            const double cost = cost_ns(cost_clock::now() - begin).count() - of_clock;
            costs[victim.which].push_back(victim.cost + cost);
            victim = got.back();
            got.pop_back();
        }
    }
    for (const in_use& each : got) std::free(each.data);
    std::vector<allocation_cost> found;
    for (std::size_t i = 0; i != costs.size(); ++i) {
        found.push_back({large_sizes[i], mean_of(std::move(costs[i]))});
    }
    return found;
}

double cache_cost() {
    constexpr std::size_t size = 256;
    buffer_cache<> cache;
    return support::nanoseconds_of([&] {
        buffer got = cache.get(size);
        touch_pages(got.data(), size);
        cache.put(std::move(got));
    });
}

}  // namespace

double cost_of_clock() {
    cost_ns least = std::chrono::seconds(1);
    for (int i = 0; i != 1000; ++i) {
        const auto begin = cost_clock::now();
        least = std::min<cost_ns>(least, cost_clock::now() - begin);
    }
    return least.count();
}

double two_digits(double cost) {
    const double sensible = std::max(cost, 0.1);
    const double unit = std::pow(10, std::floor(std::log10(sensible)) - 1);
    return std::round(sensible / unit) * unit;
}

measured_costs measure_costs() {
    measured_costs found;
    for (const std::size_t size : small_sizes)
        found.allocator.push_back({size, cost_of_small(size)});
    for (const allocation_cost& each : costs_of_large()) found.allocator.push_back(each);
    for (allocation_cost& each : found.allocator) each.nanoseconds = two_digits(each.nanoseconds);
    found.cache = cache_cost();
    return found;
}

}  // namespace freehold
