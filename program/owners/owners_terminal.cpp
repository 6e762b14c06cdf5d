// SPDX-License-Identifier: BSL-1.0
#include "owners/owners_terminal.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace freehold {
namespace {

std::string with_commas(std::uint64_t number) {
    std::string result = std::to_string(number);
    for (std::size_t at = result.size(); at > 3; at -= 3) result.insert(at - 3, ",");
    return result;
}

std::string text_of_bytes(std::uint64_t bytes) {
    constexpr std::array units = {"B", "KiB", "MiB", "GiB", "TiB"};
    auto amount = static_cast<double>(bytes);
    std::size_t unit = 0;
    for (; amount >= 1024 && unit + 1 < units.size(); ++unit) amount /= 1024;
    return unit == 0 ? fmt::format("{} B", bytes) : fmt::format("{:.1f} {}", amount, units[unit]);
}

std::string shortened(const std::string& name, std::size_t width) {
    return name.size() <= width ? name : name.substr(0, width - 3) + "...";
}

/// Names of types may have hundreds of characters.
held_by shortened(held_by step) {
    constexpr std::size_t widest_type = 60;
    step.type = shortened(step.type, widest_type);
    return step;
}

owner_ring shortened(owner_ring ring) {
    for (held_by& each : ring.path) each = shortened(std::move(each));
    return ring;
}

void add_types(const owners_report& report, std::size_t top, std::string& text) {
    constexpr std::size_t widest_name = 44;
    using row = std::array<std::string, 8>;
    std::vector<row> rows = {
        {"type", "alive", "bytes", "owners", "weak", "reachable", "leaked", "lost"}};
    for (std::size_t i = 0; i != std::min(top, report.types.size()); ++i) {
        const owned_type& each = report.types[i];
        rows.push_back({shortened(each.type, widest_name), with_commas(each.alive),
                        text_of_bytes(each.bytes), with_commas(each.owners), with_commas(each.weak),
                        with_commas(each.reachable), with_commas(each.leaked),
                        with_commas(each.lost)});
    }
    row::size_type column = 0;
    std::array<std::size_t, 8> widths{};
    for (const row& each : rows)
        for (column = 0; column != each.size(); ++column)
            widths[column] = std::max(widths[column], each[column].size());
    for (const row& each : rows) {
        text += fmt::format("{:<{}}", each[0], widths[0]);
        for (column = 1; column != each.size(); ++column)
            text += fmt::format("  {:>{}}", each[column], widths[column]);
        text += "\n";
    }
    if (report.types.size() > top)
        text += fmt::format("and {} more types; --top {} lists all\n", report.types.size() - top,
                            report.types.size());
}

void add_rings(const owners_report& report, std::size_t top, std::string& text) {
    for (std::size_t i = 0; i != std::min(top, report.rings.size()); ++i) {
        const owner_ring& each = report.rings[i];
        text += i == 0 ? "\nObjects that keep one another alive:\n" : "";
        text += fmt::format("{:>7} x  {}\n           {}; with what only they keep alive {}\n",
                            with_commas(each.instances), text_of(shortened(each)),
                            text_of_bytes(each.bytes), text_of_bytes(each.retained));
        if (!each.weaken) continue;
        const held_by& step = each.path[each.weaken->step];
        const std::string place = step.line == 0 || step.file.empty() || !step.closure.empty()
                                      ? ""
                                      : fmt::format(" ({}:{})", step.file, step.line);
        text += fmt::format("           {} make {}{} weak: {}\n",
                            each.weaken->is_sure ? "surely" : "probably", text_of(shortened(step)),
                            place, each.weaken->why);
    }
    if (report.rings.size() > top)
        text += fmt::format("and {} more shapes; --top {} lists all\n", report.rings.size() - top,
                            report.rings.size());
}

/// Of more looks, the last ones are shown.
void add_growth(const owners_report& report, std::size_t top, std::string& text) {
    constexpr std::size_t most_columns = 6;
    constexpr std::size_t widest_name = 40;
    const std::vector<type_growth> growth = growth_in(report.looks);
    const std::size_t first = report.looks.size() - std::min(report.looks.size(), most_columns);
    text += fmt::format("\n{:<{}}", "alive after", widest_name);
    for (std::size_t i = first; i != report.looks.size(); ++i)
        text += fmt::format("  {:>9}", fmt::format("{:.0f} s", report.looks[i].seconds));
    text += "\n";
    for (std::size_t i = 0; i != std::min(top, growth.size()); ++i) {
        text += fmt::format("{:<{}}", shortened(growth[i].type, widest_name), widest_name);
        for (std::size_t k = first; k != report.looks.size(); ++k)
            text += fmt::format("  {:>9}", with_commas(growth[i].alive[k]));
        text += growth[i].only_rises() ? "  only rises\n" : "\n";
    }
    if (growth.empty()) text += "The number of no type changed.\n";
    if (growth.size() > top)
        text += fmt::format("and {} more types that changed; --top {} lists all\n",
                            growth.size() - top, growth.size());
}

void add_who(const object_holders& who, std::size_t top, std::string& text) {
    text += fmt::format("\nHolders of {} object{}:\n", with_commas(who.objects),
                        who.objects == 1 ? "" : "s");
    for (std::size_t i = 0; i != std::min(top, who.holders.size()); ++i) {
        const auto& each = who.holders[i];
        text += fmt::format("{:>9} owners  {:>7} weak  {}\n", with_commas(each.owners),
                            with_commas(each.weak), each.what);
    }
    if (who.holders.size() > top)
        text += fmt::format("and {} more holders; --top {} lists all\n", who.holders.size() - top,
                            who.holders.size());
    if (who.path.empty()) {
        text += "Nothing that is reachable leads to them.\n";
        return;
    }
    text += "The shortest way to one of them:\n";
    for (std::size_t i = 0; i != who.path.size(); ++i)
        text += fmt::format("  {}{}\n", i == 0 ? "" : "-> ", who.path[i]);
}

}  // namespace

std::string terminal_text(const owners_report& report, std::size_t top) {
    const owned_type total = total_of(report);
    std::string text = fmt::format(
        "{}: {} objects are owned by shared handles, {} leaked, {} lost\n", report.program,
        with_commas(total.alive), with_commas(total.leaked), with_commas(total.lost));
    if (report.is_at_end)
        text += "It was looked at after main and the destructors of static objects.\n";
    else if (report.stopped_seconds > 0)
        text += fmt::format("It was stopped for {:.0f} ms, in which {} were read.\n",
                            report.stopped_seconds * 1000, text_of_bytes(report.memory_bytes));
    if (!report.types.empty()) {
        text += "\n";
        add_types(report, top, text);
    }
    if (!report.looks.empty()) add_growth(report, top, text);
    add_rings(report, top, text);
    if (report.who) add_who(*report.who, top, text);
    for (std::size_t i = 0; i != report.incomplete.size(); ++i)
        text += fmt::format("{}- {}\n", i == 0 ? "\nIncomplete:\n" : "", report.incomplete[i]);
    return text;
}

}  // namespace freehold
