// SPDX-License-Identifier: BSL-1.0
// The order of the six ways that the article of 2017 predicts, held against its own figures and
// today's.
#include "report/sections/findings.hpp"
#include "report/sections/packets.hpp"
#include "report/sections/published.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace freehold {

namespace {

std::string slower_text(const ranked& slower, const ranked& faster) {
    const auto times = ratio(slower.figure, faster.figure);
    return fmt::format("{} takes {} times as long as {}", slower.name,
                       times ? figure_text(times->value) : "many", faster.name);
}

struct verdict {
    std::string place;
    std::string outcome;  // empty where there were fewer than two to compare
    std::string reason = {};
};

/// What the figures, in the order that was predicted of them, say of it.
verdict verdict_on(const std::string& place, const std::vector<ranked>& predicted) {
    if (predicted.size() < 2) return {place, ""};
    std::vector<std::string> reversed;
    std::vector<std::string> alike;
    for (std::size_t i = 0; i != predicted.size(); ++i) {
        for (std::size_t j = i + 1; j != predicted.size(); ++j) {
            const auto& sooner = predicted[i];
            const auto& later = predicted[j];
            if (overlap(sooner.figure, later.figure)) {
                if (j == i + 1) alike.push_back(fmt::format("{} from {}", sooner.name, later.name));
            } else if (later.figure.value < sooner.figure.value) {
                reversed.push_back(slower_text(sooner, later));
            }
        }
    }
    if (!reversed.empty()) return {place, "does not hold", joined(reversed)};
    if (alike.empty()) return {place, "holds"};
    return {place, "holds as far as can be told", "nothing tells " + joined(alike)};
}

/// "holds with a and b; does not hold with c, where ..."
std::string verdicts_text(const std::vector<verdict>& verdicts) {
    std::vector<std::pair<verdict, std::vector<std::string>>> groups;
    for (const auto& each : verdicts) {
        if (each.outcome.empty()) continue;
        auto found = std::find_if(groups.begin(), groups.end(), [&](const auto& group) {
            return group.first.outcome == each.outcome && group.first.reason == each.reason;
        });
        if (found == groups.end()) {
            groups.push_back({each, {}});
            found = groups.end() - 1;
        }
        found->second.push_back(each.place);
    }
    std::string text;
    for (const auto& [what, places] : groups) {
        if (!text.empty()) text += "; ";
        text += fmt::format("{} with {}", what.outcome, joined(places));
        if (!what.reason.empty()) text += ", where " + what.reason;
    }
    return text;
}

std::string order_then() {
    const auto& then = published_six_ways();
    std::vector<verdict> verdicts;
    for (const auto& column : then.columns) {
        std::vector<ranked> predicted;
        for (const auto& way : then.predicted_order) {
            if (const auto figure = column.find(way)) {
                predicted.push_back({way, with_error(*figure, 0)});
            }
        }
        verdicts.push_back(verdict_on(column.compiler, predicted));
    }
    return verdicts_text(verdicts);
}

std::string order_now(const packets_figures& figures, const std::string& test) {
    std::vector<verdict> verdicts;
    for (const auto& where : figures.settings()) {
        std::vector<ranked> predicted;
        for (const auto& way : published_six_ways().predicted_order) {
            if (const auto figure = figures.find(where, way, test)) {
                predicted.push_back({way, *figure});
            }
        }
        verdicts.push_back(verdict_on(where.label, predicted));
    }
    return verdicts_text(verdicts);
}

/// What the header of 2017 cost that zeroed unasked: the last two columns are before and after.
std::string mended_text(const std::string& way) {
    const auto& columns = published_six_ways().columns;
    const auto& header = columns[columns.size() - 2];
    const auto before = header.find(way);
    const auto after = columns.back().find(way);
    if (!before || !after) return "";
    return fmt::format(
        " In 2017 the library of {} zeroed it unasked, and took {} times as long as after the "
        "article had mended it.",
        header.compiler, figure_text(*before / *after));
}

/// What a constructor that zeroes adds, beside what a library added unasked.
std::string zeroing_text(const packets_figures& figures) {
    const std::string way = "std::allocate_shared(pool)";
    std::vector<std::string> places;
    for (const auto& where : figures.settings()) {
        const auto plain = figures.find(where, way, packet_kinds[0].test);
        const auto zeroed = figures.find(where, way, packet_kinds[1].test);
        if (!plain || !zeroed) continue;
        places.push_back(fmt::format("from {} to {} ns with {}", figure_text(plain->value),
                                     figure_text(zeroed->value), where.label));
    }
    if (places.empty()) return "";
    const auto text =
        fmt::format("A constructor that zeroes the packet takes {} {}.", way, joined(places));
    return text + mended_text(way);
}

}  // namespace

std::vector<std::string> six_ways_notes(const packets_figures& figures) {
    std::vector<std::string> notes;
    const bool measured =
        std::any_of(packet_kinds.begin(), packet_kinds.end(),
                    [&](const auto& kind) { return figures.medians().has(kind.test); });
    if (!measured) return notes;
    notes.push_back(fmt::format(
        "The six ways: one packet of 2 KiB is made and dropped again by one thread, while a second "
        "is alive. The article predicts this order, the fastest first: {}. In its own figures the "
        "order {}.",
        joined(published_six_ways().predicted_order), order_then()));
    for (const auto& kind : packet_kinds) {
        const auto text = order_now(figures, kind.test);
        if (text.empty()) continue;
        notes.push_back(fmt::format("Today, with packets {}, the order {}.", kind.clause, text));
    }
    if (auto text = zeroing_text(figures); !text.empty()) notes.push_back(std::move(text));
    return notes;
}

}  // namespace freehold
