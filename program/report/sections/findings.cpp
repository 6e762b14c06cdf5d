// SPDX-License-Identifier: BSL-1.0
#include "report/sections/findings.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace freehold {

namespace {

/// Whether both ends of the interval are written as the same text.
bool is_a_point(const estimate& figure) {
    return figure_text(figure.bounds.low) == figure_text(figure.bounds.high);
}

const ranked* find_entry(const ranked_setting& where, const std::string& name) {
    const auto found = std::find_if(where.entries.begin(), where.entries.end(),
                                    [&](const ranked& entry) { return entry.name == name; });
    return found == where.entries.end() ? nullptr : &*found;
}

/// The settings in which one subject leads: it is the lowest there, or is not distinguishable from
/// it.
struct leading {
    std::string name;
    std::vector<const ranked_setting*> places;

    [[nodiscard]] const estimate& figure_in(const ranked_setting& where) const {
        return find_entry(where, name)->figure;
    }
};

bool leads(const std::string& name, const ranking& found) {
    return found.lowest.name == name ||
           std::find(found.alike.begin(), found.alike.end(), name) != found.alike.end();
}

/// If one subject leads in all settings, that subject alone; of several, the one that is the lowest
/// in most settings. Otherwise the lowest of each setting.
std::vector<leading> leaders_of(const std::vector<const ranked_setting*>& settings) {
    std::vector<ranking> rankings;
    for (const auto* where : settings) rankings.push_back(*rank(where->entries));
    std::vector<leading> lowest;
    for (std::size_t i = 0; i != settings.size(); ++i) {
        const auto& name = rankings[i].lowest.name;
        auto found = std::find_if(lowest.begin(), lowest.end(),
                                  [&](const leading& leader) { return leader.name == name; });
        if (found == lowest.end()) found = lowest.insert(found, {name, {}});
        found->places.push_back(settings[i]);
    }
    std::stable_sort(lowest.begin(), lowest.end(), [](const leading& a, const leading& b) {
        return a.places.size() > b.places.size();
    });
    for (const auto& leader : lowest) {
        const bool everywhere =
            std::all_of(rankings.begin(), rankings.end(),
                        [&](const ranking& found) { return leads(leader.name, found); });
        if (everywhere) return {{leader.name, settings}};
    }
    return lowest;
}

/// The lowest other subject with an interval that overlaps the leader's.
std::string rival_in(const ranked_setting& where, const leading& leader) {
    const ranked* nearest = nullptr;
    for (const auto& entry : where.entries) {
        if (entry.name == leader.name || !overlap(entry.figure, leader.figure_in(where))) continue;
        if (nearest == nullptr || entry.figure.value < nearest->figure.value) nearest = &entry;
    }
    return nearest == nullptr ? "" : nearest->name;
}

/// Whether the interval of `name` overlaps the leader's in every setting where the leader leads.
bool is_rival_everywhere(const std::string& name, const leading& leader) {
    return std::all_of(leader.places.begin(), leader.places.end(), [&](const auto* where) {
        const auto* entry = find_entry(*where, name);
        return entry != nullptr && overlap(entry->figure, leader.figure_in(*where));
    });
}

std::string rivals_text(const leading& leader, bool exact) {
    const std::string alike = exact ? ", like " : ", not distinguishable from ";
    std::vector<std::string> rivals;
    for (const auto* where : leader.places) {
        const auto rival = rival_in(*where, leader);
        if (rival.empty()) continue;
        if (is_rival_everywhere(rival, leader)) return alike + rival;
        rivals.push_back(rival + " under " + where->label);
    }
    return rivals.empty() ? "" : alike + joined(rivals);
}

std::string labels_text(const std::vector<const ranked_setting*>& places) {
    std::vector<std::string> labels;
    for (const auto* where : places) labels.push_back(where->label);
    return " under " + joined(labels);
}

std::string leaders_text(const std::vector<leading>& leaders, const finding_words& words,
                         bool with_figures) {
    std::vector<std::string> texts;
    for (const auto& leader : leaders) {
        auto text = leader.name;
        if (leaders.size() > 1) text += labels_text(leader.places);
        std::vector<double> figures;
        for (const auto* where : leader.places) figures.push_back(leader.figure_in(*where).value);
        if (with_figures) text += " (" + range_text(figures) + " " + words.unit + ")";
        texts.push_back(text + rivals_text(leader, words.exact));
    }
    return joined(texts);
}

/// Compares in the settings where the baseline is distinguishable from the leader. Names these
/// settings if they are not all.
std::string baseline_text(const std::vector<leading>& leaders, const std::string& baseline,
                          bool exact) {
    std::vector<const ranked_setting*> places;
    std::vector<double> times;
    std::size_t settings = 0;
    for (const auto& leader : leaders) {
        for (const auto* where : leader.places) {
            ++settings;
            const auto* entry = find_entry(*where, baseline);
            const auto& figure = leader.figure_in(*where);
            if (entry == nullptr || overlap(entry->figure, figure)) continue;
            const auto longer = ratio(entry->figure, figure);
            if (!longer) continue;
            times.push_back(longer->value);
            places.push_back(where);
        }
    }
    if (places.empty()) return {};
    auto text = fmt::format("; {} takes {} times as {}", baseline, range_text(times),
                            exact ? "much" : "long");
    if (places.size() != settings) text += labels_text(places);
    return text;
}

}  // namespace

std::optional<ranking> rank(const std::vector<ranked>& entries) {
    auto sorted = entries;
    std::stable_sort(sorted.begin(), sorted.end(), [](const ranked& a, const ranked& b) {
        return a.figure.value < b.figure.value;
    });
    if (sorted.empty()) return std::nullopt;
    ranking result{sorted.front(), {}};
    for (std::size_t i = 1; i != sorted.size(); ++i) {
        if (overlap(sorted[i].figure, sorted.front().figure))
            result.alike.push_back(sorted[i].name);
    }
    return result;
}

std::string lowest_finding(const finding_words& words,
                           const std::vector<ranked_setting>& settings) {
    std::vector<const ranked_setting*> measured;
    for (const auto& where : settings) {
        if (!where.entries.empty()) measured.push_back(&where);
    }
    if (measured.empty()) return words.nothing;
    const auto leaders = leaders_of(measured);
    const auto baseline = baseline_text(leaders, words.baseline, words.exact);
    const auto opening = words.opening + " ";
    const auto full = leaders_text(leaders, words, true);
    const auto names = leaders_text(leaders, words, false);
    for (const auto& sentence : {opening + full + baseline + ".", opening + names + baseline + ".",
                                 opening + full + ".", opening + names + "."}) {
        if (sentence.size() <= finding_length) return sentence;
    }
    std::vector<std::string> plain;
    for (const auto& leader : leaders) plain.push_back(leader.name);
    if (plain.size() == 1) {
        return fmt::format("{}{}, but not everywhere distinguishable from others.", opening,
                           plain.front());
    }
    return fmt::format("{}different subjects: {}.", opening, joined(plain));
}

std::string range_text(const std::vector<double>& values) {
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    const auto first = figure_text(*low);
    const auto last = figure_text(*high);
    return first == last ? first : first + " to " + last;
}

std::string times_text(const estimate& times) {
    const auto text = figure_text(times.value) + " times";
    if (is_a_point(times)) return text;
    return fmt::format("{} ({} to {})", text, figure_text(times.bounds.low),
                       figure_text(times.bounds.high));
}

}  // namespace freehold
