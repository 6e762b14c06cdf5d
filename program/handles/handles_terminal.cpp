// SPDX-License-Identifier: BSL-1.0
#include "handles/handles_terminal.hpp"

#include "report/amounts.hpp"
#include "report/terminal.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

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

template <class... Arguments>
void put(std::string& to, fmt::format_string<Arguments...> form, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(to), form, std::forward<Arguments>(arguments)...);
}

std::string interval_text(const time_interval& nanoseconds) {
    const std::string least = time_text(nanoseconds.least);
    const std::string most = time_text(nanoseconds.most);
    return least == most ? least : fmt::format("{} to {}", least, most);
}

std::string gain_of(const handles_run& run, const time_interval& nanoseconds) {
    const auto share = usual_share(run, nanoseconds);
    return fmt::format("about {}{}", share ? *share + " of the run, " : std::string(),
                       estimate_text(nanoseconds));
}

void put_advice(std::string& to, const handles_run& run, const given_advice& advice) {
    if (advice.pieces.empty()) return;
    put(to,
        "\nChanges that would help (estimated gains overlap, so count again after each change):\n");
    for (std::size_t i = 0; i < std::min(most_advice, advice.shown_pieces); ++i) {
        const handles_advice& each = advice.pieces[i];
        put(to, "{:>2}. {}, {}: {}, {}: {}\n", i + 1, gain_of(run, each.nanoseconds),
            text_of(each.sure), each.place, shortened(each.type, 40), each.what);
        put(to, "    {}\n    write: {}\n", each.evidence, each.code);
    }
    if (advice.shown_pieces > most_advice)
        put(to, "    and {} more: -o handles.html shows all\n", advice.shown_pieces - most_advice);
    if (advice.folded() != 0) put(to, "    {}\n", folded_text(run, advice));
}

void put_places(std::string& to, const handles_run& run, const given_advice& advice) {
    if (advice.shown_places == 0) return;
    put(to,
        "\nPlaces to look at: copies that another owner outlived. The counts do not show "
        "whether the code needs them:\n");
    for (std::size_t i = 0; i < std::min(most_places, advice.shown_places); ++i) {
        const place_to_look_at& each = advice.places[i];
        const counted_line& line = run.counts.lines[each.line];
        put(to, "    {}, {}: {}; they take {}\n", place_of(line), shortened(type_of(line), 40),
            number_of(each.count, "copy"), gain_of(run, each.nanoseconds));
    }
}

void put_samples(std::string& to, const handles_run& run) {
    const std::vector<std::size_t> lines = lines_by_time(run);
    put(to, "\n{:>9} {:>9} {:>9}  {:<34} {}\n", "time", "share", "samples", "line", "type");
    for (std::size_t i = 0; i < std::min(most_lines, lines.size()); ++i) {
        const counted_line& each = run.counts.lines[lines[i]];
        const double nanoseconds = nanoseconds_of(each, run.costs);
        put(to, "{:>9} {:>9} {:>9}  {:<34} {}\n", time_text(nanoseconds),
            share_text(run.share(nanoseconds).value_or(0)), each.samples,
            shortened(place_of(each), 34), shortened(type_of(each), 40));
    }
    if (lines.size() > most_lines)
        put(to, "  and {}\n", number_of(lines.size() - most_lines, "more line"));
}

void put_lines(std::string& to, const handles_run& run) {
    const std::vector<std::size_t> lines = lines_by_time(run);
    std::vector<std::string> times;
    std::size_t widest = 9;
    for (std::size_t i = 0; i < std::min(most_lines, lines.size()); ++i) {
        times.push_back(usual_text(time_of(run.counts.lines[lines[i]], run.costs)));
        widest = std::max(widest, display_width(times.back()));
    }
    put(to, "\n{:>{}} {:>11} {:>11} {:>10} {:>9} {:>9}  {:<26} {}\n", "time", widest, "copies",
        "releases", "weak", "locks", "objects", "line", "type");
    for (std::size_t i = 0; i < times.size(); ++i) {
        const counted_line& each = run.counts.lines[lines[i]];
        put(to, "{:>{}} {:>11} {:>11} {:>10} {:>9} {:>9}  {:<26} {}\n", times[i], widest,
            each.copies, each.releases, each.weak_copies + each.weak_releases, each.locks,
            each.objects, shortened(place_of(each), 26), shortened(type_of(each), 40));
    }
    if (lines.size() > most_lines)
        put(to, "  and {}\n", number_of(lines.size() - most_lines, "more line"));
}

}  // namespace

std::string usual_text(const time_interval& nanoseconds) {
    return nanoseconds.is_steady ? time_text(nanoseconds.usual) : interval_text(nanoseconds);
}

std::string estimate_text(const time_interval& nanoseconds) {
    const std::string usual = usual_text(nanoseconds);
    const std::string interval = interval_text(nanoseconds);
    return usual == interval ? usual : fmt::format("{} ({})", usual, interval);
}

std::optional<std::string> usual_share(const handles_run& run, const time_interval& nanoseconds) {
    const auto share = run.share(nanoseconds.usual);
    if (!share) return std::nullopt;
    if (nanoseconds.is_steady) return share_text(*share);
    return fmt::format("{} to {}", share_text(*run.share(nanoseconds.least)),
                       share_text(*run.share(nanoseconds.most)));
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
        "{} on counts in {}, {} of them without locking, and {} without counting. They take about "
        "{}",
        number_of(operations, "operation"), number_of(run.counts.processes, "process"),
        count_text(plain), number_of(unique, "last release"), usual_text(run.time()));
    if (const auto share = usual_share(run, run.time()))
        text += fmt::format(", {} of the {} of CPU time that the program takes without Valgrind",
                            *share, time_text(*run.cpu_seconds * 1e9));
    return text + ".";
}

std::string folded_text(const handles_run& run, const given_advice& advice) {
    time_interval gain;
    for (std::size_t i = advice.shown_pieces; i < advice.pieces.size(); ++i)
        gain = gain + advice.pieces[i].nanoseconds;
    const bool is_one = advice.folded() == 1;
    return fmt::format("{} gain{} less than {} of {}{}, {}{}",
                       number_of(advice.folded(), "more change"), is_one ? "s" : "",
                       share_text(least_share), run.cpu_seconds ? "the run" : "the counting",
                       is_one ? "" : " each", usual_text(gain), is_one ? "" : " together");
}

std::vector<std::string> doubts_of(const handles_run& run) {
    std::vector<std::string> doubts;
    if (!run.costs.plain.is_steady)
        doubts.emplace_back(
            "The costs of an operation varied while they were measured, so times are intervals; "
            "count again on a quiet machine");
    if (!run.why_no_share.empty()) doubts.push_back("No share of the run: " + run.why_no_share);
    if (run.sampled && run.sampled->lost != 0)
        doubts.push_back(fmt::format("{} samples were lost: the shares may be wrong",
                                     count_text(run.sampled->lost)));
    if (run.counts.killed != 0)
        doubts.push_back(fmt::format(
            "{} {} killed; the counts of the last moments before that are missing",
            number_of(run.counts.killed, "process"), run.counts.killed == 1 ? "was" : "were"));
    if (run.counts.left_out_programs)
        doubts.emplace_back("The programs that it starts were not counted: add --children");
    doubts.insert(doubts.end(), run.counts.notes.begin(), run.counts.notes.end());
    if (std::any_of(run.counts.lines.begin(), run.counts.lines.end(),
                    [](const counted_line& each) { return each.is_called; }))
        doubts.push_back(
            "(called): the line calls a function that ended with a jump and left no trace; that "
            "function or the line counts");
    if (std::any_of(run.counts.lines.begin(), run.counts.lines.end(),
                    [](const counted_line& each) { return each.is_merged; }))
        doubts.emplace_back(
            "(merged): the linker or the compiler made one function of several; the line or the "
            "type may be that of another, so there is no advice on it");
    for (const std::string& each : run.counts.without_debug_information)
        doubts.push_back(each + ": has no debug information; build it with -g to see lines");
    return doubts;
}

std::string terminal_text(const handles_run& run, const given_advice& advice) {
    std::string result = finding_of(run) + "\n";
    if (run.sampled) {
        put_samples(result, run);
    } else {
        put_advice(result, run, advice);
        put_places(result, run, advice);
        put_lines(result, run);
    }
    const std::vector<std::string> doubts = doubts_of(run);
    for (std::size_t i = 0; i < std::min(most_doubts, doubts.size()); ++i)
        put(result, "  {}\n", doubts[i]);
    return result;
}

}  // namespace freehold
