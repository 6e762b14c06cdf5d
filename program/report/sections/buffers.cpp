// SPDX-License-Identifier: BSL-1.0
#include "report/sections/buffers.hpp"

#include "report/sections/findings.hpp"
#include "report/sections/sections.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace freehold {

namespace {

const std::string suite_name = "buffers";

/// "The article's 112 figures come out to the digit"
std::string agreement_text(const buffers_figures& figures) {
    printed_agreement worst;
    for (const auto& where : figures.settings()) {
        const auto found = printed_agreement_of(figures, where);
        if (found.measured == 0) continue;
        const bool is_worse = found.measured - found.same > worst.measured - worst.same;
        if (worst.measured == 0 || is_worse) worst = found;
    }
    if (worst.measured == 0) return "";
    if (worst.same == worst.measured) {
        return fmt::format("The article's {} figures come out to the digit", worst.measured);
    }
    return fmt::format("{} of the article's {} figures come out", worst.same, worst.measured);
}

/// "with 12 KiB idle greedy_dual_fit hits 94.4 %, others as thrifty 81 %", of the article's.
std::string hits_text(const std::vector<workload_fronts>& fronts, bool opens) {
    constexpr double idle = 12 * kibibyte;
    for (const auto& each : fronts) {
        const auto own = best_own(each, idle, &front_point::hit_rate);
        if (each.workload != "article" || !own) continue;
        auto text = fmt::format("{}ith 12 KiB idle {} hits {} %", opens ? "W" : "w", own_policy,
                                figure_text(*own));
        const auto other = best_other(each, idle, &front_point::hit_rate, used_at_least);
        if (other) text += fmt::format(", others as thrifty {} %", figure_text(*other));
        return text;
    }
    return "";
}

std::string finding_of(const buffers_figures& figures, const std::vector<workload_fronts>& fronts,
                       const aims_result& aims) {
    std::vector<std::string> parts;
    if (auto text = agreement_text(figures); !text.empty()) parts.push_back(std::move(text));
    if (auto text = hits_text(fronts, parts.empty()); !text.empty()) {
        parts.push_back(std::move(text));
    }
    if (!aims.reached.empty()) {
        parts.push_back(
            fmt::format("{}ims reached: {}", parts.empty() ? "A" : "a", joined(aims.reached)));
    }
    if (parts.empty()) return "Neither the article's caches nor freehold's were measured.";
    return fmt::format("{}.", fmt::join(parts, "; "));
}

}  // namespace

buffers_figures::buffers_figures(const std::vector<setting>& settings)
    : settings_(settings),
      contenders_(contenders_of(settings, suite_name)),
      medians_(settings, suite_name) {}

std::map<std::int64_t, estimate> buffers_figures::sizes(const setting& where,
                                                        const std::string& competitor,
                                                        const std::string& test) const {
    return medians_.sizes(where, {competitor, "threaded", competitor}, test);
}

std::optional<report_section> buffers_section(const std::vector<setting>& all) {
    const auto settings = settings_with(all, suite_name);
    if (settings.empty()) return std::nullopt;
    const buffers_figures figures(settings);
    const auto fronts = fronts_of(figures);
    auto aims = buffers_aims_of(figures, fronts);
    report_section section{suite_name,
                           "Buffers: a cache that cannot be poisoned",
                           finding_of(figures, fronts, aims),
                           {},
                           {}};
    for (auto blocks :
         {article_blocks(figures), front_blocks(fronts), buffer_time_blocks(figures)}) {
        std::move(blocks.begin(), blocks.end(), std::back_inserter(section.blocks));
    }
    if (!aims.table.rows.empty()) section.blocks.emplace_back(std::move(aims.table));
    section.notes.push_back(
        "Hit rate, used and idle bytes belong together: any two can be had by ruining the third. "
        "Policies are played through freehold's own cache, with the same requests in the same "
        "order "
        "and a clock that counts them, so that figures of all that know no prices are the same on "
        "every run.");
    section.notes.push_back(
        "greedy_dual_fit is told what the allocator was measured to take, as `freehold advise` has "
        "it told; its figures vary with that.");
    section.notes.push_back(
        "Time saved is the allocator's alone, and charges nothing for threads. Not for locks and "
        "other atomic operations: the article's policies have one lock, .NET one for each stack of "
        "a processor, Jetty shares all that it keeps, Netty and bytebufferpool take an atomic "
        "operation for each buffer that comes back, and freehold's cache a lock for what lies in "
        "its part for all and two atomic operations for what another thread gives back. Nor is the "
        "allocator charged: its prices are of one thread. So the workload across threads tells "
        "which policy finds the right buffer, not which is fastest.");
    section.notes.push_back(
        "The policies of others are made by the documented rules of the .NET ArrayPool, Netty's "
        "allocator, bytebufferpool, Jetty's pool and jemalloc's thread cache; they are not those "
        "products.");
    for (auto& note : measuring_notes(all, suite_name)) section.notes.push_back(std::move(note));
    return section;
}

}  // namespace freehold
