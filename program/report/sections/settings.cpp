// SPDX-License-Identifier: BSL-1.0
#include "report/sections/settings.hpp"

#include "analyse/outliers.hpp"
#include "report/sections/competitors.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace freehold {

namespace {

bool matches(const measurement& cell, const setting& where, const contender& who) {
    return cell.lab == where.lab && cell.process == who.process && cell.competitor == who.name;
}

/// What was left out and why, once for all tests and settings in which it was for the same reason.
class skip_list {
public:
    void add(const skipped& skip, const std::string& place) {
        places_[{skip.competitor, skip.reason, skip.test}].push_back(place);
    }

    [[nodiscard]] std::vector<std::string> notes() const {
        std::map<std::tuple<std::string, std::string, std::string>, std::vector<std::string>> tests;
        for (const auto& [what, places] : places_) {
            const auto& [competitor, reason, test] = what;
            tests[{competitor, reason, joined(places)}].push_back(test);
        }
        std::vector<std::string> notes;
        for (const auto& [what, named] : tests) {
            const auto& [competitor, reason, places] = what;
            const auto where = named.size() <= named_at_most
                                   ? fmt::format("{}", fmt::join(named, "; "))
                                   : fmt::format("{} tests", named.size());
            notes.push_back(
                fmt::format("Skipped with {}: {}, {}: {}.", places, competitor, where, reason));
        }
        return notes;
    }

private:
    static constexpr std::size_t named_at_most = 3;

    std::map<std::tuple<std::string, std::string, std::string>, std::vector<std::string>> places_;
};

}  // namespace

bool contender::shares() const {
    return shares_ownership(name);
}

std::vector<setting> settings_of(const std::vector<labelled_results>& files) {
    std::vector<setting> settings;
    for (const auto& file : files) {
        for (const auto& lab : file.results.labs) {
            const auto label = files.size() == 1 ? lab.name : lab.name + ", " + file.label;
            settings.push_back({label, lab.name, &file});
        }
    }
    return settings;
}

const suite* find_suite(const setting& where, const std::string& name) {
    const auto& suites = where.source->results.suites;
    const auto found = suites.find(name);
    return found == suites.end() ? nullptr : &found->second;
}

std::vector<setting> settings_with(const std::vector<setting>& all, const std::string& suite_name) {
    std::vector<setting> having;
    for (const auto& where : all) {
        const auto* found = find_suite(where, suite_name);
        if (found == nullptr) continue;
        const auto& cells = found->measurements;
        if (std::any_of(cells.begin(), cells.end(),
                        [&](const measurement& cell) { return cell.lab == where.lab; })) {
            having.push_back(where);
        }
    }
    return having;
}

std::vector<contender> contenders_of(const std::vector<setting>& settings,
                                     const std::string& suite_name) {
    std::map<std::string, std::set<std::string>> processes;
    std::set<std::string> timed_alone;
    bool any_threaded = false;
    for (const auto& where : settings) {
        if (const auto* found = find_suite(where, suite_name)) {
            for (const auto& cell : found->measurements) {
                if (cell.lab != where.lab) continue;
                processes[cell.competitor].insert(cell.process);
                if (cell.process == "threaded") any_threaded = true;
                if (cell.process == "single" && !cell.exact) timed_alone.insert(cell.competitor);
            }
        }
    }
    std::vector<contender> all;
    for (const auto& [name, measured_in] : processes) {
        const bool threaded = measured_in.contains("threaded");
        if (threaded) all.push_back({name, "threaded", name});
        if (!threaded) {
            all.push_back({name, "single", any_threaded ? name + " (one thread)" : name});
        } else if (differs_alone(name) && timed_alone.contains(name)) {
            all.push_back({name, "single", name + " (one thread)"});
        }
    }
    std::stable_sort(all.begin(), all.end(), [](const contender& a, const contender& b) {
        return order_of(a.name) < order_of(b.name);
    });
    return all;
}

const measurement* find_measurement(const setting& where, const std::string& suite_name,
                                    const contender& who, const std::string& test) {
    const auto sizes = find_sizes(where, suite_name, who, test);
    return sizes.empty() ? nullptr : sizes.front();
}

std::vector<const measurement*> find_sizes(const setting& where, const std::string& suite_name,
                                           const contender& who, const std::string& test) {
    std::vector<const measurement*> sizes;
    if (const auto* found = find_suite(where, suite_name)) {
        for (const auto& cell : found->measurements) {
            if (matches(cell, where, who) && cell.test == test) sizes.push_back(&cell);
        }
    }
    std::stable_sort(sizes.begin(), sizes.end(),
                     [](const auto* a, const auto* b) { return a->n < b->n; });
    return sizes;
}

estimate estimate_of(const measurement& cell) {
    return analyse::estimate_median(cell.samples);
}

std::vector<std::string> measuring_notes(const std::vector<setting>& all,
                                         const std::string& suite_name) {
    std::vector<std::string> notes;
    analyse::outlier_counts outliers;
    skip_list left_out;
    std::set<std::string> files_told;
    for (const auto& where : all) {
        const auto* found = find_suite(where, suite_name);
        const bool first_of_file = files_told.insert(where.source->label).second;
        if (found == nullptr) {
            if (first_of_file) notes.push_back("Not measured in " + where.source->label + ".");
            continue;
        }
        if (first_of_file && !found->complete) {
            notes.push_back("Measuring was interrupted in " + where.source->label +
                            ": figures may be missing, and rest on fewer runs.");
        }
        for (const auto& cell : found->measurements) {
            if (cell.lab != where.lab || cell.exact) continue;
            for (const auto& process : cell.samples) outliers += analyse::count_outliers(process);
        }
        for (const auto& skip : found->skipped) {
            if (skip.lab != where.lab) continue;
            left_out.add(skip, where.label);
        }
    }
    for (auto& note : left_out.notes()) notes.push_back(std::move(note));
    if (outliers.total() != 0) {
        notes.push_back(fmt::format(
            "{} of {} samples lie outside Tukey's fences ({} of them severely). None was removed: "
            "the figures are medians.",
            outliers.total(), outliers.samples, outliers.severe_low + outliers.severe_high));
    }
    return notes;
}

}  // namespace freehold
