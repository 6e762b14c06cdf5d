// SPDX-License-Identifier: BSL-1.0
#include "handles/handles_report.hpp"

#include "code/source_files.hpp"
#include "handles/handles_terminal.hpp"
#include "report/amounts.hpp"
#include "report/sections/figures.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <map>
#include <numeric>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace freehold {
namespace {

constexpr std::size_t most_pieces = 30;
constexpr std::size_t most_releases = 3;
constexpr std::size_t most_bars = 12;
constexpr std::size_t most_rows = 400;
constexpr std::size_t longest_source = 90;
// A shorter part of a bar, as a share of the longest bar, cannot be seen.
constexpr double least_visible = 0.001;

table_cell text_cell(std::string text) {
    return {std::move(text), {}, {}, {}, {}};
}

table_cell usual_cell(const time_interval& nanoseconds) {
    return {usual_text(nanoseconds), nanoseconds.usual, {}, {}, {}};
}

table_cell estimate_cell(const time_interval& nanoseconds) {
    return {estimate_text(nanoseconds), nanoseconds.usual, {}, {}, {}};
}

std::optional<table_cell> share_cell(const handles_run& run, const time_interval& nanoseconds) {
    const auto share = usual_share(run, nanoseconds);
    if (!share) return std::nullopt;
    return table_cell{*share, run.share(nanoseconds.usual), {}, {}, {}};
}

std::optional<table_cell> count_cell(std::uint64_t n) {
    if (n == 0) return std::nullopt;
    return exact_cell(static_cast<double>(n));
}

std::string sentence(std::string words) {
    if (!words.empty())
        words.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(words.front())));
    return words + ".";
}

/// Writes each alternative on its own line.
std::string in_lines(const std::string& code) {
    std::string result = "write: ";
    for (std::size_t at = 0;;) {
        const auto end = code.find("; ", at);
        result += code.substr(at, end - at);
        if (end == std::string::npos) return result;
        result += "\n       ";
        at = end + 2;
    }
}

std::string head_of(const counted_line& line) {
    return fmt::format("{}, {}", place_of(line), type_of(line));
}

std::vector<headline> summary_of(const handles_run& run, const given_advice& advice) {
    std::vector<headline> result;
    const time_interval all = run.time();
    if (const auto share = usual_share(run, all))
        result.push_back(
            {"of the run goes into counting", *share,
             fmt::format("{} of {}{}", usual_text(all), time_text(*run.cpu_seconds * 1e9),
                         run.sampled ? ", sampled" : " without Valgrind")});
    else
        result.push_back({"go into counting", usual_text(all), "estimated"});
    if (advice.shown_pieces != 0) {
        const handles_advice& first = advice.pieces.front();
        result.push_back({fmt::format("saved by the first change, at {}", first.place),
                          estimate_text(first.nanoseconds), text_of(first.sure)});
    }
    return result;
}

report_table places_table(const handles_run& run, const given_advice& advice,
                          source_files& sources) {
    report_table table;
    table.id = "places";
    table.caption = "Places to look at: copies that another owner outlived";
    table.row_header = "line, type";
    table.columns = {{"time", "of copies and releases", ""},
                     {"of the run", "of copies and releases", ""},
                     {"copies", "", ""},
                     {"released at", "", "", true},
                     {"source", "", "", true}};
    for (std::size_t place = 0; place < advice.shown_places; ++place) {
        if (place == most_pieces) {
            table.note = fmt::format("And {} more.", advice.shown_places - most_pieces);
            break;
        }
        const place_to_look_at& each = advice.places[place];
        const counted_line& line = run.counts.lines[each.line];
        std::vector<std::string> releases;
        for (std::size_t i = 0; i < std::min(most_releases, each.releases.size()); ++i)
            releases.push_back(place_of(run.counts.lines[each.releases[i]]));
        if (each.releases.size() > most_releases) releases.emplace_back("...");
        table.rows.push_back(
            {head_of(line),
             false,
             {estimate_cell(each.nanoseconds), share_cell(run, each.nanoseconds),
              count_cell(each.count), text_cell(fmt::format("{}", fmt::join(releases, ", "))),
              text_cell(sources.line(line.file, line.line).substr(0, longest_source))}});
    }
    return table;
}

report_section advice_section(const handles_run& run, const given_advice& advice,
                              source_files& sources) {
    report_section section;
    section.id = "advice";
    section.title = "Changes that would help";
    section.finding = finding_of(run);
    report_table table;
    table.id = "advice-table";
    table.caption = "The changes, the largest gain first";
    table.row_header = "line, type";
    table.columns = {{"time", "estimated gain", ""},
                     {"of the run", "estimated gain", ""},
                     {"how sure", "", "", true},
                     {"what to do", "", "", true}};
    const std::size_t shown = std::min(most_pieces, advice.shown_pieces);
    for (std::size_t i = 0; i < shown; ++i) {
        const handles_advice& each = advice.pieces[i];
        table.rows.push_back({fmt::format("{}. {}, {}", i + 1, each.place, each.type),
                              false,
                              {estimate_cell(each.nanoseconds), share_cell(run, each.nanoseconds),
                               text_cell(text_of(each.sure)), text_cell(each.what)}});
    }
    if (!table.rows.empty()) section.blocks.emplace_back(std::move(table));
    for (std::size_t i = 0; i < shown; ++i) {
        const handles_advice& each = advice.pieces[i];
        const counted_line& line = run.counts.lines[each.line];
        section.blocks.emplace_back(
            report_code{fmt::format("piece-{}", i + 1),
                        fmt::format("{}. {}, in {}. {} {}", i + 1, each.place, line.function,
                                    sentence(each.what), sentence(each.evidence)),
                        sources.excerpt(line.file, line.line) + "\n" + in_lines(each.code)});
    }
    if (advice.shown_pieces > shown)
        section.notes.push_back(
            fmt::format("Not shown: {}.", number_of(advice.shown_pieces - shown, "more change")));
    if (advice.folded() != 0) section.notes.push_back(folded_text(run, advice) + ".");
    if (advice.shown_places != 0) section.blocks.emplace_back(places_table(run, advice, sources));
    if (advice.pieces.empty()) section.notes.push_back("The counts give no reason for advice.");
    section.notes.push_back(
        "`certain in this run`: the counts prove that the change is correct for this run. "
        "`likely`: "
        "the counts prove the gain, but other runs or the code may need the saved operations. "
        "`hint`: the code decides which change is correct. There is no advice for a place to look "
        "at, because a handle that is returned or stored may have to own.");
    section.notes.push_back(
        "Gains overlap if two changes save the same operations. Make one change, count again, and "
        "compare the two files with `freehold compare`.");
    return section;
}

/// How operations count: the parts of a bar.
enum class way { plain, locked, weak_lock, sampled };

double part_of(const counted_line& line, const operation_costs& costs, way part) {
    operation_costs one;
    switch (part) {
        case way::plain:
            one.plain = costs.plain;
            one.plain_in_variable = costs.plain_in_variable;
            break;
        case way::locked:
            one.locked = costs.locked;
            one.locked_in_variable = costs.locked_in_variable;
            break;
        case way::weak_lock:
            one.weak_lock = costs.weak_lock;
            break;
        case way::sampled:
            one.sample = costs.sample;
            break;
    }
    return nanoseconds_of(line, one);
}

/// `bars` are the names of the bars. `bar_of` returns the name of a line's bar.
template <class BarOf>
report_plot bars_of(const handles_run& run, std::string id, std::string title,
                    const std::vector<std::string>& bars, BarOf bar_of) {
    constexpr std::array parts = {
        std::pair{"without locking", way::plain}, std::pair{"by locked instructions", way::locked},
        std::pair{"locks of weak handles", way::weak_lock}, std::pair{"sampled", way::sampled}};
    std::map<std::string, std::array<double, parts.size()>> nanoseconds;
    for (const counted_line& each : run.counts.lines) {
        auto& of_bar = nanoseconds[bar_of(each)];
        for (std::size_t i = 0; i < parts.size(); ++i)
            of_bar[i] += part_of(each, run.costs, parts[i].second);
    }
    double largest = 0;
    for (const std::string& bar : bars)
        largest = std::max(largest,
                           std::accumulate(nanoseconds[bar].begin(), nanoseconds[bar].end(), 0.0));
    const time_unit unit = unit_of_time(largest);

    report_plot plot;
    plot.id = std::move(id);
    plot.type = plot_type::bars;
    plot.title = std::move(title);
    plot.x = {"estimated time", unit.name, axis_scale::linear};
    plot.y = {"", "", axis_scale::category};
    plot.stacked = true;
    plot.largest_first = true;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        plot_series series{parts[i].first, {}, {}, {}};
        for (const std::string& bar : bars) {
            const double length = nanoseconds[bar][i];
            if (length <= least_visible * largest) continue;
            plot_point point;
            point.x = length / unit.nanoseconds;
            point.category = bar;
            series.points.push_back(point);
        }
        if (!series.points.empty()) plot.series.push_back(std::move(series));
    }
    return plot;
}

struct figure_column {
    const char* label;
    const char* group;
    std::uint64_t counted_line::*figure;
};

constexpr std::array<figure_column, 7> counted_figures{
    {{"copies", "owners", &counted_line::copies},
     {"releases", "owners", &counted_line::releases},
     {"copies", "weak handles", &counted_line::weak_copies},
     {"releases", "weak handles", &counted_line::weak_releases},
     {"locks", "weak handles", &counted_line::locks},
     {"objects", "", &counted_line::objects},
     {"without locking", "", &counted_line::would_be_plain}}};
constexpr std::array<figure_column, 1> sampled_figures{{{"samples", "", &counted_line::samples}}};

report_section lines_section(const handles_run& run, source_files& sources) {
    report_section section;
    section.id = "lines";
    section.title = "The lines that count owners";
    const std::vector<std::size_t> order = lines_by_time(run);
    std::vector<std::string> bars;
    for (std::size_t i : order) {
        const std::string head = head_of(run.counts.lines[i]);
        if (nanoseconds_of(run.counts.lines[i], run.costs) == 0) break;
        const bool is_new = std::find(bars.begin(), bars.end(), head) == bars.end();
        if (bars.size() < most_bars && is_new) bars.push_back(head);
    }
    std::vector<std::string> types;
    for (const type_total& each : types_of(run))
        if (types.size() < most_bars && each.time.usual > 0) types.push_back(each.pointee);
    if (!types.empty())
        section.blocks.emplace_back(bars_of(run, "types", "By type", types,
                                            [](const counted_line& line) { return line.pointee; }));
    if (!bars.empty()) section.blocks.emplace_back(bars_of(run, "bars", "By line", bars, head_of));

    report_table table;
    table.id = "all-lines";
    table.caption = "All lines";
    table.row_header = "line, type";
    const std::string how = run.sampled ? "sampled" : "estimated";
    const std::span<const figure_column> figures =
        run.sampled ? std::span<const figure_column>(sampled_figures) : counted_figures;
    table.columns = {{"time", how, ""}, {"of the run", how, ""}};
    for (const figure_column& each : figures) table.columns.push_back({each.label, each.group, ""});
    table.columns.push_back({"source", "", "", true});
    for (std::size_t i : order) {
        if (table.rows.size() == most_rows) {
            table.note = fmt::format("And {}.", number_of(order.size() - most_rows, "more line"));
            break;
        }
        const counted_line& each = run.counts.lines[i];
        const time_interval nanoseconds = time_of(each, run.costs);
        const std::string source = sources.line(each.file, each.line).substr(0, longest_source);
        table_row row{
            head_of(each), false, {usual_cell(nanoseconds), share_cell(run, nanoseconds)}};
        for (const figure_column& column : figures)
            row.cells.push_back(count_cell(each.*column.figure));
        row.cells.push_back(source.empty() ? std::nullopt : std::optional(text_cell(source)));
        table.rows.push_back(std::move(row));
    }
    section.blocks.emplace_back(std::move(table));
    return section;
}

}  // namespace

report_model handles_report(const handles_run& run, const given_advice& advice,
                            const std::string& created) {
    source_files sources;
    report_model model;
    const std::string program =
        run.command.empty() ? "" : std::filesystem::path(run.command.front()).filename().string();
    model.title = "What shared ownership costs in " + program;
    model.subtitle = fmt::format("{}", fmt::join(run.command, " "));
    model.created = created;
    model.made_by = "freehold handles";
    model.summary = summary_of(run, advice);
    model.environment = {{"command", model.subtitle},
                         {"exit status", std::to_string(run.exit_status)},
                         {"processes", std::to_string(run.counts.processes)},
                         {"threads, at most", std::to_string(run.counts.most_threads)}};
    if (run.sampled) {
        model.environment.push_back({"event", run.sampled->event});
        model.environment.push_back(
            {"samples", count_text(static_cast<double>(run.sampled->samples))});
    } else {
        model.environment.push_back(
            {"an operation on this machine",
             fmt::format(
                 "{} without locking, {} by a locked instruction, {} for a weak handle's lock",
                 estimate_text(run.costs.plain), estimate_text(run.costs.locked),
                 estimate_text(run.costs.weak_lock))});
        model.environment.push_back(
            {"separately allocated counts", time_text(run.costs.allocation.usual) + " an object"});
    }
    for (const std::string& each : doubts_of(run)) model.warnings.push_back({each, ""});
    if (!run.sampled) model.sections.push_back(advice_section(run, advice, sources));
    model.sections.push_back(lines_section(run, sources));
    if (run.sampled) model.sections.back().finding = finding_of(run);
    return model;
}

}  // namespace freehold
