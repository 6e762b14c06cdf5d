// SPDX-License-Identifier: BSL-1.0
#include "report/sections/cold_scan.hpp"

#include "report/sections/findings.hpp"
#include "report/sections/sections.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace freehold {

namespace {

const std::string suite_name = "cold_scan";

std::string ratios_text(const cold_scan_figures& figures, const std::string& test,
                        const std::string& reference) {
    std::vector<double> ratios;
    for (const auto& where : figures.settings()) {
        const auto own = figures.find(where, cached_scan, test);
        const auto other = figures.find(where, reference, test);
        if (own && other && own->value > 0) ratios.push_back(other->value / own->value);
    }
    return ratios.empty() ? "" : range_text(ratios);
}

std::string finding_of(const cold_scan_figures& figures, const aims_result& aims) {
    std::vector<std::string> parts;
    const auto processor = ratios_text(figures, "cold, processor", published_scan);
    const auto wall = ratios_text(figures, "cold, wall", published_scan);
    if (!processor.empty() && !wall.empty()) {
        parts.push_back(
            fmt::format("Cold over S3, lines by make_shared take {} times the "
                        "processor time of line_cache and {} times the time",
                        processor, wall));
    }
    if (!aims.reached.empty()) {
        parts.push_back(
            fmt::format("{}ims reached: {}", parts.empty() ? "A" : "a", joined(aims.reached)));
    }
    if (parts.empty()) return "No scan through freehold's cache was measured.";
    return fmt::format("{}.", fmt::join(parts, "; "));
}

/// The aims hold a bounded cache against lines that are all kept; this is the same of each.
std::string like_for_like(const cold_scan_figures& figures) {
    const auto times = [&](const std::string& own, const std::string& other) {
        std::vector<double> all;
        for (const auto& where : figures.settings()) {
            const auto a = figures.find(where, own, "cold, processor");
            const auto b = figures.find(where, other, "cold, processor");
            if (a && b && b->value > 0) all.push_back(a->value / b->value);
        }
        return all.empty() ? "" : range_text(all);
    };
    const auto kept = times(cached_scan_all_kept, published_scan);
    const auto bounded = times(cached_scan, published_scan + ", bounded");
    if (kept.empty() || bounded.empty()) return "";
    return fmt::format(
        "Like for like, line_cache takes {} of make_shared's processor time where both keep all "
        "lines, in memory that is new, and {} where both are bounded.",
        kept, bounded);
}

/// "libcurl 7.88.1 and versitygw 1.0.14"
std::string software_of(const std::vector<setting>& settings) {
    std::vector<std::string> names;
    for (const auto& where : settings) {
        for (const auto& lab : where.source->results.labs) {
            if (lab.name != where.lab) continue;
            for (const auto& part : lab.peers) {
                if (part.name != "libcurl" && part.name != "versitygw") continue;
                auto text = part.name + " " + part.version;
                if (std::find(names.begin(), names.end(), text) == names.end()) {
                    names.push_back(std::move(text));
                }
            }
        }
    }
    return joined(names);
}

}  // namespace

cold_scan_figures::cold_scan_figures(const std::vector<setting>& settings)
    : settings_(settings),
      contenders_(contenders_of(settings, suite_name)),
      medians_(settings, suite_name) {}

std::optional<estimate> cold_scan_figures::find(const setting& where, const std::string& competitor,
                                                const std::string& test) const {
    return medians_.find(where, {competitor, "threaded", competitor}, test);
}

std::map<std::int64_t, estimate> cold_scan_figures::sizes(const setting& where,
                                                          const std::string& competitor,
                                                          const std::string& test) const {
    return medians_.sizes(where, {competitor, "threaded", competitor}, test);
}

std::optional<report_section> cold_scan_section(const std::vector<setting>& all) {
    const auto settings = settings_with(all, suite_name);
    if (settings.empty()) return std::nullopt;
    const cold_scan_figures figures(settings);
    auto aims = cold_scan_aims_of(figures);
    report_section section{
        suite_name, "A cold scan over object storage", finding_of(figures, aims), {}, {}};
    for (const auto make :
         {scan_course_blocks, scan_cost_blocks, scan_profile_blocks, warm_get_blocks}) {
        auto blocks = make(figures);
        std::move(blocks.begin(), blocks.end(), std::back_inserter(section.blocks));
    }
    if (!aims.table.rows.empty()) section.blocks.emplace_back(std::move(aims.table));
    section.notes.push_back(
        "As many threads as the machine runs at a time sum one column of 64-bit integers where "
        "another is below a limit, line by line of 8 MiB. The objects lie on an S3-compatible "
        "server on this machine, started and stopped by the lab; its own processor time is not in "
        "these figures, but it shares the processors. The sum is checked.");
    section.notes.push_back(
        "Floor: the server's files, read into one buffer for each thread. libcurl: ranged GETs "
        "with the same receive buffer as freehold's s3_source, into lines from the memory that is "
        "named. All kept: every line stays, as with make_shared; otherwise line_cache holds a "
        "quarter of the data, in memory that other lines were in before, as bounded and recycled "
        "do.");
    if (auto note = like_for_like(figures); !note.empty()) {
        section.notes.push_back(std::move(note));
    }
    if (const auto software = software_of(settings); !software.empty()) {
        section.notes.push_back("With " + software + ".");
    }
    for (auto& note : measuring_notes(all, suite_name)) section.notes.push_back(std::move(note));
    return section;
}

}  // namespace freehold
