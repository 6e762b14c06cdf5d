// SPDX-License-Identifier: BSL-1.0
#include "report/sections/findings.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace freehold {

namespace {

std::string bounds_text(const estimate& figure) {
    return figure_text(figure.bounds.low) + " to " + figure_text(figure.bounds.high);
}

/// Whether the interval, as it would be written, says no more than the figure.
bool is_a_point(const estimate& figure) {
    return figure_text(figure.bounds.low) == figure_text(figure.bounds.high);
}

std::string lowest_text(const ranking& found, const ranked_setting& where,
                        const std::string& unit) {
    std::string inside = figure_text(found.lowest.figure.value) + " " + unit;
    if (!is_a_point(found.lowest.figure)) inside += ", " + bounds_text(found.lowest.figure);
    if (!found.alike.empty()) inside += "; not distinguishable from " + joined(found.alike);
    return fmt::format("{} under {} ({})", found.lowest.name, where.label, inside);
}

const ranked* find_entry(const ranked_setting& where, const std::string& name) {
    const auto found = std::find_if(where.entries.begin(), where.entries.end(),
                                    [&](const ranked& entry) { return entry.name == name; });
    return found == where.entries.end() ? nullptr : &*found;
}

std::string baseline_text(const ranking& found, const ranked_setting& where,
                          const std::string& baseline) {
    const auto* entry = find_entry(where, baseline);
    if (entry == nullptr || found.lowest.name == baseline) return {};
    if (overlap(entry->figure, found.lowest.figure)) return {};
    const auto times = ratio(entry->figure, found.lowest.figure);
    if (!times) return {};
    return fmt::format("{} as long under {}", times_text(*times), where.label);
}

}  // namespace

std::optional<ranking> rank(const std::vector<ranked>& entries) {
    const auto lowest = std::min_element(
        entries.begin(), entries.end(),
        [](const ranked& a, const ranked& b) { return a.figure.value < b.figure.value; });
    if (lowest == entries.end()) return std::nullopt;
    ranking result{*lowest, {}};
    for (const auto& entry : entries) {
        if (&entry != &*lowest && overlap(entry.figure, lowest->figure)) {
            result.alike.push_back(entry.name);
        }
    }
    return result;
}

std::string lowest_finding(const finding_words& words,
                           const std::vector<ranked_setting>& settings) {
    std::vector<std::string> lowest;
    std::vector<std::string> baselines;
    for (const auto& where : settings) {
        const auto found = rank(where.entries);
        if (!found) continue;
        lowest.push_back(lowest_text(*found, where, words.unit));
        if (auto text = baseline_text(*found, where, words.baseline); !text.empty()) {
            baselines.push_back(std::move(text));
        }
    }
    if (lowest.empty()) return words.nothing;
    std::string sentence = words.opening + " " + joined(lowest);
    if (!baselines.empty()) sentence += "; " + words.baseline + " takes " + joined(baselines);
    return sentence + ".";
}

std::string times_text(const estimate& times) {
    const auto text = figure_text(times.value) + " times";
    return is_a_point(times) ? text : text + " (" + bounds_text(times) + ")";
}

std::string interval_text(const estimate& figure, const std::string& unit) {
    const auto text = figure_text(figure.value) + " " + unit;
    return is_a_point(figure) ? text : text + " (" + bounds_text(figure) + ")";
}

}  // namespace freehold
