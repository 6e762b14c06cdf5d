// SPDX-License-Identifier: BSL-1.0
#include "handles/handles_terminal.hpp"

#include "report/amounts.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

namespace freehold {
namespace {

constexpr std::size_t most_advice = 5;
constexpr std::size_t most_places = 2;
constexpr std::size_t most_lines = 10;
constexpr std::size_t most_doubts = 3;

std::string shortened(const std::string& text, std::size_t most) {
    return text.size() <= most ? text : text.substr(0, most - 3) + "...";
}

std::string gain_of(const handles_run& run, const time_interval& nanoseconds) {
    const auto share = run.share(nanoseconds.usual);
    return fmt::format("about {}{}", share ? share_text(*share) + " of the run, " : std::string(),
                       estimate_text(nanoseconds));
}

void print_advice(const handles_run& run, const given_advice& advice) {
    if (advice.pieces.empty() && advice.folded == 0) return;
    fmt::print(
        "\nChanges that would help (estimated gains overlap, so count again after each change):\n");
    for (std::size_t i = 0; i < std::min(most_advice, advice.pieces.size()); ++i) {
        const handles_advice& each = advice.pieces[i];
        fmt::print("{:>2}. {}, {}: {}, {}: {}\n", i + 1, gain_of(run, each.nanoseconds),
                   text_of(each.sure), each.place, shortened(each.type, 40), each.what);
        fmt::print("    {}\n    write: {}\n", each.evidence, each.code);
    }
    if (advice.pieces.size() > most_advice)
        fmt::print("    and {} more: -o handles.html shows all\n",
                   advice.pieces.size() - most_advice);
    if (advice.folded != 0) fmt::print("    {}\n", folded_text(run, advice));
}

void print_places(const handles_run& run, const given_advice& advice) {
    if (advice.places.empty()) return;
    fmt::print(
        "\nPlaces to look at: copies that another owner outlived. The counts do not show "
        "whether the code needs them:\n");
    for (std::size_t i = 0; i < std::min(most_places, advice.places.size()); ++i) {
        const place_to_look_at& each = advice.places[i];
        const counted_line& line = run.counts.lines[each.line];
        fmt::print("    {}, {}: {} copies; they take {}\n", place_of(line),
                   shortened(type_of(line), 40), count_text(each.count),
                   gain_of(run, each.nanoseconds));
    }
}

void print_samples(const handles_run& run) {
    const std::vector<std::size_t> lines = lines_by_time(run);
    fmt::print("\n{:>9} {:>9} {:>9}  {:<34} {}\n", "time", "share", "samples", "line", "type");
    for (std::size_t i = 0; i < std::min(most_lines, lines.size()); ++i) {
        const counted_line& each = run.counts.lines[lines[i]];
        const double nanoseconds = nanoseconds_of(each, run.costs);
        fmt::print("{:>9} {:>9} {:>9}  {:<34} {}\n", time_text(nanoseconds),
                   share_text(run.share(nanoseconds).value_or(0)), each.samples,
                   shortened(place_of(each), 34), shortened(type_of(each), 40));
    }
    if (lines.size() > most_lines) fmt::print("  and {} more lines\n", lines.size() - most_lines);
}

void print_lines(const handles_run& run) {
    const std::vector<std::size_t> lines = lines_by_time(run);
    fmt::print("\n{:>9} {:>11} {:>11} {:>10} {:>9} {:>9}  {:<26} {}\n", "time", "copies",
               "releases", "weak", "locks", "objects", "line", "type");
    for (std::size_t i = 0; i < std::min(most_lines, lines.size()); ++i) {
        const counted_line& each = run.counts.lines[lines[i]];
        fmt::print("{:>9} {:>11} {:>11} {:>10} {:>9} {:>9}  {:<26} {}\n",
                   time_text(nanoseconds_of(each, run.costs)), each.copies, each.releases,
                   each.weak_copies + each.weak_releases, each.locks, each.objects,
                   shortened(place_of(each), 26), shortened(type_of(each), 40));
    }
    if (lines.size() > most_lines) fmt::print("  and {} more lines\n", lines.size() - most_lines);
}

}  // namespace

std::string estimate_text(const time_interval& nanoseconds) {
    const std::string usual = time_text(nanoseconds.usual);
    const std::string least = time_text(nanoseconds.least);
    const std::string most = time_text(nanoseconds.most);
    return least == most ? usual : fmt::format("{} ({} to {})", usual, least, most);
}

std::string finding_of(const handles_run& run) {
    if (run.sampled) {
        std::uint64_t counting = 0;
        for (const counted_line& each : run.counts.lines) counting += each.samples;
        return fmt::format(
            "This run was sampled, not counted. {} of {} samples, {} of the program's time, are "
            "at instructions that count owners. The event is {}. {}",
            count_text(counting), count_text(run.sampled->samples),
            share_text(static_cast<double>(counting) /
                       std::max(1.0, static_cast<double>(run.sampled->samples))),
            run.sampled->event, run.sampled->precision);
    }
    std::uint64_t operations = 0;
    std::uint64_t plain = 0;
    std::uint64_t unique = 0;
    for (const counted_line& each : run.counts.lines) {
        operations += each.operations();
        plain += each.would_be_plain;
        unique += each.unique_releases;
    }
    std::string text = fmt::format(
        "{} operations on counts in {} process{}, {} of them without locking, and {} last "
        "releases without counting. They take about {}",
        count_text(operations), run.counts.processes, run.counts.processes == 1 ? "" : "es",
        count_text(plain), count_text(unique), time_text(run.nanoseconds()));
    if (const auto share = run.share(run.nanoseconds()))
        text += fmt::format(", {} of the {} of CPU time that the program takes without Valgrind",
                            share_text(*share), time_text(*run.cpu_seconds * 1e9));
    return text + ".";
}

std::string folded_text(const handles_run& run, const given_advice& advice) {
    return fmt::format("{} more changes gain less than {} of {} each, {} together", advice.folded,
                       share_text(least_share), run.cpu_seconds ? "the run" : "the counting",
                       time_text(advice.folded_nanoseconds));
}

std::vector<std::string> doubts_of(const handles_run& run) {
    std::vector<std::string> doubts;
    if (!run.why_no_share.empty()) doubts.push_back("No share of the run: " + run.why_no_share);
    if (run.sampled && run.sampled->lost != 0)
        doubts.push_back(fmt::format("{} samples were lost: the shares may be wrong",
                                     count_text(run.sampled->lost)));
    if (run.counts.killed != 0)
        doubts.push_back(fmt::format(
            "{} process{} killed; the counts of the last moments before that are missing",
            run.counts.killed, run.counts.killed == 1 ? " was" : "es were"));
    doubts.insert(doubts.end(), run.counts.notes.begin(), run.counts.notes.end());
    if (std::any_of(run.counts.lines.begin(), run.counts.lines.end(),
                    [](const counted_line& each) { return each.is_called; }))
        doubts.push_back(
            "(called): the line calls a function that ended with a jump and left no trace; that "
            "function or the line counts");
    for (const std::string& each : run.counts.without_debug_information)
        doubts.push_back(each + ": has no debug information; build it with -g to see lines");
    return doubts;
}

void print(const handles_run& run, const given_advice& advice) {
    fmt::print("{}\n", finding_of(run));
    if (run.sampled) {
        print_samples(run);
    } else {
        print_advice(run, advice);
        print_places(run, advice);
        print_lines(run);
    }
    const std::vector<std::string> doubts = doubts_of(run);
    for (std::size_t i = 0; i < std::min(most_doubts, doubts.size()); ++i)
        fmt::print("  {}\n", doubts[i]);
}

}  // namespace freehold
