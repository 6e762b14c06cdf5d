// SPDX-License-Identifier: BSL-1.0
#include "report/sections/zeroing.hpp"

#include "report/sections/findings.hpp"
#include "report/sections/sections.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace freehold {

namespace {

const std::string suite_name = "zeroing";

/// Of lines copied to, all kept: "0.51 to 0.52 s by std::make_shared".
std::string seconds_text(const zeroing_figures& figures, const std::string& competitor,
                         const std::string& by) {
    std::vector<double> seconds;
    for (const auto& where : figures.settings()) {
        const auto figure = figures.find(where, competitor, "memcpy, kept");
        if (figure) seconds.push_back(figure->value);
    }
    return seconds.empty() ? "" : fmt::format("{} s {}", range_text(seconds), by);
}

std::string finding_of(const zeroing_figures& figures, const aims_result& aims) {
    std::vector<std::string> costs;
    for (const auto& text : {seconds_text(figures, zeroing_line, "by " + zeroing_line),
                             seconds_text(figures, recycled_line, "recycled")}) {
        if (!text.empty()) costs.push_back(text);
    }
    std::vector<std::string> parts;
    if (!costs.empty()) parts.push_back(fmt::format("A GiB of lines copied to: {}", joined(costs)));
    if (!aims.reached.empty()) {
        parts.push_back(
            fmt::format("{}ims reached: {}", parts.empty() ? "A" : "a", joined(aims.reached)));
    }
    if (parts.empty()) return "Neither std::make_shared's lines nor recycled ones were measured.";
    return fmt::format("{}.", fmt::join(parts, "; "));
}

}  // namespace

zeroing_figures::zeroing_figures(const std::vector<setting>& settings)
    : settings_(settings),
      contenders_(contenders_of(settings, suite_name)),
      medians_(settings, suite_name) {}

std::optional<estimate> zeroing_figures::find(const setting& where, const std::string& competitor,
                                              const std::string& test) const {
    return medians_.find(where, {competitor, "threaded", competitor}, test);
}

std::optional<report_section> zeroing_section(const std::vector<setting>& all) {
    const auto settings = settings_with(all, suite_name);
    if (settings.empty()) return std::nullopt;
    const zeroing_figures figures(settings);
    auto aims = zeroing_aims_of(figures);
    report_section section{
        suite_name, "Zeroing: lines that are to be filled", finding_of(figures, aims), {}, {}};
    const auto add = [&](std::vector<zeroing_block> blocks) {
        std::move(blocks.begin(), blocks.end(), std::back_inserter(section.blocks));
    };
    add(line_blocks(figures));
    add(zeroing_seed_blocks(figures));
    if (!aims.table.rows.empty()) section.blocks.emplace_back(std::move(aims.table));
    add(line_detail_blocks(figures));
    section.notes.push_back(
        "A line has 8 MiB. Kept: every line is a new one, or the next of a pool that has as many. "
        "Ring: an eighth of the lines live, and the oldest is dropped before the next is made, so "
        "that an eighth of a heap's lines are new. Times are of the thread that makes and fills "
        "lines, whoever sends what it receives.");
    section.notes.push_back(
        "Before each measurement as much memory is taken and given back, so that a virtual "
        "machine's new pages do not come from its host.");
    for (auto& note : measuring_notes(all, suite_name)) section.notes.push_back(std::move(note));
    return section;
}

}  // namespace freehold
