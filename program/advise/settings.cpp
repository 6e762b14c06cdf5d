// SPDX-License-Identifier: BSL-1.0
#include "advise/settings.hpp"

#include <freehold/buffer/buffer_policies.hpp>

#include "reimplemented/pools.hpp"
#include "report/amounts.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace freehold {

namespace {

constexpr std::uint64_t smallest_bound = 4096;
/// Larger sizes are rare and get no buckets.
constexpr std::uint64_t largest_bucket = std::uint64_t{1} << 20U;

template <class Policy>
setting_replay replay_with(typename Policy::options of_policy) {
    return [of_policy](const trace_spool& spool, const replay_scope& scope,
                       const allocation_costs& costs, const buffer_cache_options& bounds) {
        return replay<Policy>(spool, scope, costs, bounds, of_policy);
    };
}

std::string entries_text(std::size_t entries) {
    return entries == 1 ? "1 entry" : fmt::format("{} entries", entries);
}

class setting_list {
public:
    setting_list(std::uint64_t max_idle, const allocation_costs& costs)
        : max_idle_(max_idle), costs_(costs) {}

    void add_greedy_dual_fit(std::uint64_t bound, double band) {
        greedy_dual_fit::options options;
        options.band = band;
        options.costs = costs_;
        policy_setting& made = add<greedy_dual_fit>(
            "greedy_dual_fit", options, fmt::format("{} at most, band {}", bytes_text(bound), band),
            fmt::format(".band = {}", band), bound);
        if (band != greedy_dual_fit::options().band) made.variant = fmt::format("band {}", band);
        made.code.takes_costs = true;
    }

    template <class Policy>
    void add(const std::string& policy, const typename Policy::options& options,
             const std::string& words, const std::string& code) {
        add<Policy>(policy, options, words, code, max_idle_);
    }

    template <class Policy>
    void add_reimplemented(const std::string& policy) {
        add<Policy>(policy, {}, "its defaults", {}, max_idle_).is_reimplemented = true;
    }

    [[nodiscard]] std::vector<policy_setting> take() { return std::move(settings_); }

private:
    template <class Policy>
    policy_setting& add(const std::string& policy, const typename Policy::options& options,
                        const std::string& words, const std::string& code, std::uint64_t bound) {
        policy_setting made;
        made.policy = policy;
        made.words = words;
        made.code.header = fmt::format("freehold/buffer/policies/{}.hpp", policy);
        made.code.type = "freehold::" + policy;
        made.code.options = code;
        made.bounds.max_idle = bound;
        made.bounds.max_idle_per_thread = bound;
        made.play = replay_with<Policy>(options);
        settings_.push_back(std::move(made));
        return settings_.back();
    }

    std::uint64_t max_idle_;
    const allocation_costs& costs_;
    std::vector<policy_setting> settings_;
};

void add_bounds(setting_list& list, std::uint64_t max_idle, std::uint64_t peak_live) {
    // A bound above the peak of bytes in use changes nothing.
    const std::uint64_t of_use = std::bit_ceil(std::max(peak_live, 8 * smallest_bound));
    const std::uint64_t most = std::min(max_idle, of_use);
    for (const double band : {1.25, 1.1}) {
        for (std::uint64_t bound = smallest_bound; bound < most; bound *= 2) {
            list.add_greedy_dual_fit(bound, band);
        }
        list.add_greedy_dual_fit(most, band);
    }
}

void add_policies_of_the_article(setting_list& list, const process_profile& program,
                                 std::uint64_t min_size) {
    for (const std::size_t entries : {1, 4, 16}) {
        list.add<keep_largest>("keep_largest", {entries}, entries_text(entries),
                               fmt::format(".entries = {}", entries));
    }
    std::uint64_t last_cutoff = 0;
    for (const double share : {0.5, 0.75, 0.95}) {
        const std::uint64_t cutoff = program.quantile(share, min_size);
        if (cutoff == last_cutoff) continue;
        last_cutoff = cutoff;
        for (const std::size_t entries : {1, 16}) {
            list.add<keep_first_below>(
                "keep_first_below", {cutoff, entries},
                fmt::format("up to {}, {}", bytes_text(cutoff), entries_text(entries)),
                fmt::format(".cutoff = {}, .entries = {}", cutoff, entries));
        }
    }
    const std::uint64_t largest = std::min(program.quantile(0.999, min_size), largest_bucket);
    const std::string up_to = "up to " + bytes_text(largest);
    for (const std::size_t entries : {4, 32}) {
        list.add<linear_buckets>(
            "linear_buckets", {100, entries, largest},
            fmt::format("100 B each, {} entries, {}", entries, up_to),
            fmt::format(".width = 100, .entries = {}, .largest = {}", entries, largest));
    }
    for (const std::size_t per_doubling : {2, 8}) {
        for (const std::size_t entries : {4, 32}) {
            list.add<geometric_buckets>(
                "geometric_buckets", {per_doubling, entries, largest},
                fmt::format("{} a doubling, {} entries, {}", per_doubling, entries, up_to),
                fmt::format(".per_doubling = {}, .entries = {}, .largest = {}", per_doubling,
                            entries, largest));
        }
    }
    for (const std::size_t entries : {4, 32}) {
        list.add<power_of_two_buckets>(
            "power_of_two_buckets", {entries, largest},
            fmt::format("{} entries, {}", entries, up_to),
            fmt::format(".entries = {}, .largest = {}", entries, largest));
    }
}

void add_reimplemented(setting_list& list) {
    list.add_reimplemented<reimplemented::dotnet_array_pool>(".NET ArrayPool");
    list.add_reimplemented<reimplemented::netty>("Netty");
    list.add_reimplemented<reimplemented::bytebufferpool>("bytebufferpool");
    list.add_reimplemented<reimplemented::jetty>("Jetty");
    list.add_reimplemented<reimplemented::jemalloc_tcache>("jemalloc tcache");
}

}  // namespace

std::vector<policy_setting> settings_for(const process_profile& program,
                                         const settings_wanted& wanted,
                                         const allocation_costs& costs) {
    const std::uint64_t max_idle = wanted.max_idle.value_or(buffer_cache_options().max_idle);
    setting_list list(max_idle, costs);
    add_bounds(list, max_idle, program.peak_live_bytes);
    add_policies_of_the_article(list, program, wanted.min_size);
    add_reimplemented(list);
    return list.take();
}

policy_setting with_cutoff(policy_setting setting, std::uint64_t cutoff) {
    setting.bounds.cutoff = cutoff;
    setting.words += ", cutoff " + bytes_text(cutoff);
    return setting;
}

std::string code_of(const policy_setting& setting, const std::vector<allocation_cost>& costs,
                    std::uint64_t min_size) {
    std::string options = setting.code.options;
    std::string table;
    if (setting.code.takes_costs) {
        std::string rows;
        for (const allocation_cost& each : costs) {
            rows += fmt::format("    {{{}, {:.10g}}},\n", each.size, each.nanoseconds);
        }
        table = fmt::format(
            "// A size in bytes, and the allocator's time for a buffer of this size in "
            "nanoseconds.\n"
            "const std::array<freehold::allocation_cost, {}> allocator_costs{{{{\n{}}}}};\n\n",
            costs.size(), rows);
        options += ", .costs = freehold::allocation_costs(allocator_costs)";
    }
    std::string bounds = fmt::format(".max_idle = {}, .max_idle_per_thread = {}",
                                     setting.bounds.max_idle, setting.bounds.max_idle_per_thread);
    if (setting.bounds.cutoff != buffer_cache_options().cutoff) {
        bounds += fmt::format(", .cutoff = {}", setting.bounds.cutoff);
    }
    const std::string type = fmt::format("freehold::buffer_cache<{}>", setting.code.type);
    const std::string use = min_size > 1 ? fmt::format("// For {} and more", bytes_text(min_size))
                                         : std::string("// For example");
    return fmt::format(
        "// Links freehold::buffer.\n#include <freehold/buffer/buffer_cache.hpp>\n#include "
        "<{}>\n\n{}{}{}& buffers() {{\n"
        "    static {} cache(\n        {{{}}},\n        {{{}}});\n    return cache;\n}}\n\n"
        "{}: freehold::buffer b = buffers().get(size); its destructor returns it.\n",
        setting.code.header, table.empty() ? "" : "#include <array>\n\n", table, type, type, bounds,
        options, use);
}

}  // namespace freehold
