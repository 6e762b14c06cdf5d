// SPDX-License-Identifier: BSL-1.0
#include "suites/buffers/policies.hpp"

#include <freehold/buffer/buffer_policies.hpp>

#include "reimplemented/pools.hpp"
#include "suites/buffers/subjects.hpp"

#include <array>
#include <limits>
#include <span>

namespace lab::buffers {
namespace {

constexpr std::size_t kibibyte = 1024;
constexpr std::size_t mebibyte = 1024 * kibibyte;
constexpr std::size_t no_bound = std::numeric_limits<std::size_t>::max() / 2;

template <class Policy>
policy_setting setting(std::string note, std::size_t bound, typename Policy::options how) {
    return {std::move(note), [bound, how](const workload& work, const freehold::allocation_costs&) {
                return replay<Policy>(work, bound, how);
            }};
}

/// Returns settings of a policy that only idle bytes bound.
template <class Policy>
compared_policy bounded(const identity& name, const std::vector<std::size_t>& bounds,
                        const typename Policy::options& how = {}) {
    compared_policy policy{name};
    for (const std::size_t bound : bounds) {
        policy.settings.push_back(setting<Policy>(in_words(bound), bound, how));
    }
    return policy;
}

/// Returns the settings that `freehold advise` would recommend.
compared_policy ours() {
    using freehold::greedy_dual_fit;
    compared_policy policy{subjects::greedy_dual_fit, true};
    for (const std::size_t bound : all_bounds()) {
        policy.settings.push_back(
            {in_words(bound),
             [bound](const workload& work, const freehold::allocation_costs& costs) {
                 return replay<greedy_dual_fit>(work, bound, {.costs = costs});
             }});
    }
    return policy;
}

/// Returns the policy as the other library's own programs use it.
template <class Policy>
compared_policy other_library(const identity& name, const typename Policy::options& how = {}) {
    compared_policy policy = bounded<Policy>(
        name, {16 * kibibyte, 64 * kibibyte, 256 * kibibyte, mebibyte, 4 * mebibyte}, how);
    policy.settings.push_back(setting<Policy>("as by default", no_bound, how));
    return policy;
}

std::string entries_in_words(std::size_t entries) {
    return std::to_string(entries) + (entries == 1 ? " entry" : " entries");
}

compared_policy flawed() {
    using freehold::keep_largest;
    compared_policy policy{subjects::keep_largest};
    for (std::size_t entries = 1; entries <= 64; entries *= 2) {
        policy.settings.push_back(
            setting<keep_largest>(entries_in_words(entries), no_bound, {.entries = entries}));
    }
    return policy;
}

/// Returns the article's own setting first, then larger ones. Both bounds grow together.
compared_policy mended() {
    using freehold::keep_first_below;
    compared_policy policy{subjects::keep_first_below};
    std::size_t cutoff = 200;
    for (std::size_t entries = 1; entries <= 128; entries *= 2, cutoff *= 2) {
        policy.settings.push_back(setting<keep_first_below>(
            entries_in_words(entries) + " up to " + std::to_string(cutoff) + " bytes", no_bound,
            {.cutoff = cutoff, .entries = entries}));
    }
    return policy;
}

struct bucket_bounds {
    std::size_t entries;
    std::size_t largest;
};

template <class Policy, class MakeOptions>
compared_policy buckets(const identity& name, std::span<const bucket_bounds> all,
                        MakeOptions&& options_for) {
    compared_policy policy{name};
    for (const bucket_bounds& each : all) {
        policy.settings.push_back(setting<Policy>(entries_in_words(each.entries) +
                                                      " of a bucket, up to " +
                                                      std::to_string(each.largest) + " bytes",
                                                  no_bound, options_for(each)));
    }
    return policy;
}

constexpr std::array<bucket_bounds, 10> bounds_of_buckets = {{
    {1, 800},
    {2, 3200},
    {2, 12800},
    {4, 25600},
    {8, 51200},
    {16, 51200},
    {16, 4 * 51200},
    {32, 16 * 51200},
    {64, 2097152},
    {256, 4194304},
}};

compared_policy linear() {
    // Buckets of 100 bytes each, up to the size where there would be too many.
    return buckets<freehold::linear_buckets>(
        subjects::linear_buckets,
        std::span(bounds_of_buckets).first<bounds_of_buckets.size() - 2>(),
        [](const bucket_bounds& each) {
            return freehold::linear_buckets::options{
                .width = 100, .entries = each.entries, .largest = each.largest};
        });
}

compared_policy geometric() {
    return buckets<freehold::geometric_buckets>(
        subjects::geometric_buckets, bounds_of_buckets, [](const bucket_bounds& each) {
            return freehold::geometric_buckets::options{
                .per_doubling = 4, .entries = each.entries, .largest = each.largest};
        });
}

compared_policy powers_of_two() {
    return buckets<freehold::power_of_two_buckets>(
        subjects::power_of_two_buckets, bounds_of_buckets, [](const bucket_bounds& each) {
            return freehold::power_of_two_buckets::options{.entries = each.entries,
                                                           .largest = each.largest};
        });
}

}  // namespace

std::vector<std::size_t> all_bounds() {
    std::vector<std::size_t> bounds;
    for (std::size_t bound = 4 * kibibyte; bound <= 4 * mebibyte; bound *= 2) {
        bounds.push_back(bound);
    }
    return bounds;
}

std::string in_words(std::size_t bound) {
    return (bound < mebibyte ? std::to_string(bound / kibibyte) + " KiB"
                             : std::to_string(bound / mebibyte) + " MiB") +
           " at most";
}

std::vector<compared_policy> all_policies() {
    namespace reimplemented = freehold::reimplemented;
    return {
        ours(),
        bounded<freehold::greedy_dual_fit>(subjects::greedy_dual_fit_hits_alike, all_bounds(),
                                           {.costs = freehold::allocation_costs::equal()}),
        flawed(),
        mended(),
        linear(),
        geometric(),
        powers_of_two(),
        // A fixed number of processors, so that the figures are the same on every machine.
        other_library<reimplemented::dotnet_array_pool>(subjects::dotnet_array_pool,
                                                        {.processors = 4}),
        other_library<reimplemented::netty>(subjects::netty),
        other_library<reimplemented::bytebufferpool>(subjects::bytebufferpool),
        other_library<reimplemented::jetty>(subjects::jetty),
        other_library<reimplemented::jemalloc_tcache>(subjects::jemalloc_tcache),
    };
}

}  // namespace lab::buffers
