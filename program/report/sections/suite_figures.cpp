// SPDX-License-Identifier: BSL-1.0
#include "report/sections/suite_figures.hpp"

#include "analyse/outliers.hpp"
#include "analyse/placements.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/ranges.h>

namespace freehold {

namespace {

const std::map<std::int64_t, estimate> no_sizes;

/// The subjects of all files. The order is that of the first file that has each subject.
std::vector<const subject*> subjects_of(const std::vector<setting>& all) {
    std::vector<const subject*> subjects;
    std::set<const labelled_results*> seen;
    for (const auto& where : all) {
        if (!seen.insert(where.source).second) continue;
        for (const subject& each : where.source->results.subjects) {
            if (std::none_of(subjects.begin(), subjects.end(),
                             [&](const subject* known) { return known->key == each.key; }))
                subjects.push_back(&each);
        }
    }
    return subjects;
}

struct processes_of_subject {
    bool threaded = false;
    bool single = false;
    bool timed_alone = false;
};

std::string name_of(const setting& where, const std::string& key) {
    const subject* found = where.source->results.find_subject(key);
    return found == nullptr ? key : found->name;
}

/// Says what was skipped and why, once for all cases and settings with the same reason.
std::vector<std::string> skip_notes(const std::vector<setting>& all,
                                    const std::string& suite_name) {
    constexpr std::size_t named_at_most = 3;
    struct group {
        std::set<std::string> labels, subjects, cases;
    };
    std::map<std::string, group> reasons;
    for (const auto& where : all) {
        const suite* found = find_suite(where, suite_name);
        if (found == nullptr) continue;
        for (const skipped& each : found->skipped) {
            if (each.lab != where.lab) continue;
            auto& same = reasons[each.reason];
            same.labels.insert(where.label);
            same.subjects.insert(name_of(where, each.subject));
            const suite_case* known = found->description.find_case(each.test_case);
            same.cases.insert(known == nullptr ? each.test_case : known->label);
        }
    }
    const auto listed = [](const std::set<std::string>& names, const char* of) {
        if (names.size() > named_at_most) return fmt::format("{} {}", names.size(), of);
        return fmt::format("{}", fmt::join(names, "; "));
    };
    std::vector<std::string> notes;
    for (const auto& [reason, same] : reasons) {
        notes.push_back(fmt::format("Skipped with {}: {}, {}: {}.", fmt::join(same.labels, " and "),
                                    listed(same.subjects, "subjects"), listed(same.cases, "cases"),
                                    reason));
    }
    return notes;
}

}  // namespace

std::vector<setting> settings_of(const std::vector<labelled_results>& files) {
    std::vector<setting> settings;
    for (const auto& file : files) {
        for (const auto& lab : file.results.labs) {
            const auto label = files.size() == 1 ? lab.name : lab.name + ", " + file.label;
            settings.push_back({label, lab.name, &file, static_cast<std::size_t>(lab.placements)});
        }
    }
    return settings;
}

const suite* find_suite(const setting& where, const std::string& name) {
    const auto& suites = where.source->results.suites;
    const auto found = suites.find(name);
    return found == suites.end() ? nullptr : &found->second;
}

suite_figures::suite_figures(const std::vector<setting>& all, std::string suite)
    : name_(std::move(suite)) {
    std::map<std::string, processes_of_subject> processes;
    bool any_threaded = false;
    for (const auto& where : all) {
        const auto* found = find_suite(where, name_);
        if (found == nullptr) continue;
        if (description_ == nullptr) description_ = &found->description;
        bool measured = false;
        for (const auto& cell : found->measurements) {
            if (cell.lab != where.lab) continue;
            measured = true;
            const auto n = cell.n.value_or(0);
            const key at = key_of(where, {cell.subject, cell.process}, cell.test_case);
            figures_[at].try_emplace(n, analyse::estimate_median(cell.samples));
            if (analyse::depends_on_placement(cell.samples, where.placements))
                placed_.emplace(at, n);
            if (cell.note) notes_[at].try_emplace(n, *cell.note);
            auto& kinds = processes[cell.subject];
            (cell.process == "threaded" ? kinds.threaded : kinds.single) = true;
            if (cell.process == "single" && !cell.exact) kinds.timed_alone = true;
            any_threaded = any_threaded || cell.process == "threaded";
        }
        if (measured) settings_.push_back(where);
    }
    for (const subject* each : subjects_of(settings_)) {
        const auto kinds = processes.find(each->key);
        if (kinds == processes.end()) continue;
        const auto& measured = kinds->second;
        const auto add = [&](const char* process, const std::string& head) {
            rows_.push_back({each->key, process, head, each->family, each->folded});
        };
        const std::string alone = each->name + " (one thread)";
        if (measured.threaded) add("threaded", each->name);
        if (!measured.threaded) {
            add("single", any_threaded ? alone : each->name);
        } else if (each->single && measured.timed_alone) {
            add("single", alone);
        }
    }
}

const std::map<std::int64_t, estimate>& suite_figures::sizes(const setting& where,
                                                             const subject_row& row,
                                                             const std::string& test_case) const {
    const auto found = figures_.find(key_of(where, row, test_case));
    return found == figures_.end() ? no_sizes : found->second;
}

std::optional<estimate> suite_figures::find(const setting& where, const subject_row& row,
                                            const std::string& test_case,
                                            std::optional<std::int64_t> n) const {
    const auto& all = sizes(where, row, test_case);
    if (all.empty()) return std::nullopt;
    const auto found = n ? all.find(*n) : all.begin();
    return found == all.end() ? std::nullopt : std::optional(found->second);
}

std::optional<estimate> suite_figures::find_reference(const setting& where, const subject_row& row,
                                                      const std::string& reference,
                                                      const std::string& test_case,
                                                      std::optional<std::int64_t> n) const {
    auto found = find(where, {reference, row.process}, test_case, n);
    if (found) return found;
    return find(where, {reference, row.process == "single" ? "threaded" : "single"}, test_case, n);
}

std::optional<estimate> suite_figures::times(const setting& where, const subject_row& row,
                                             const std::string& test_case,
                                             const std::string& reference,
                                             std::optional<std::int64_t> n) const {
    const auto own = find(where, row, test_case, n);
    if (!own) return std::nullopt;
    if (row.key == reference) return estimate{1, {1, 1}};
    const auto other = find_reference(where, row, reference, test_case, n);
    return other ? ratio(*own, *other) : std::nullopt;
}

std::string suite_figures::note(const setting& where, const subject_row& row,
                                const std::string& test_case, std::optional<std::int64_t> n) const {
    const auto found = notes_.find(key_of(where, row, test_case));
    if (found == notes_.end()) return {};
    const auto at = n ? found->second.find(*n) : found->second.begin();
    return at == found->second.end() ? std::string() : at->second;
}

bool suite_figures::depends_on_placement(const setting& where, const subject_row& row,
                                         const std::string& test_case,
                                         std::optional<std::int64_t> n) const {
    const key at = key_of(where, row, test_case);
    const auto& all = sizes(where, row, test_case);
    return !all.empty() && placed_.contains({at, n.value_or(all.begin()->first)});
}

std::vector<std::int64_t> suite_figures::all_sizes(const std::string& test_case) const {
    std::set<std::int64_t> sizes;
    for (const auto& [name, figures] : figures_) {
        if (std::get<3>(name) != test_case) continue;
        for (const auto& [n, figure] : figures) sizes.insert(n);
    }
    return {sizes.begin(), sizes.end()};
}

void suite_figures::derive(const setting& where, const subject_row& row,
                           const std::string& test_case, const estimate& figure) {
    figures_[key_of(where, row, test_case)].insert_or_assign(0, figure);
}

std::vector<std::string> measuring_notes(const std::vector<setting>& all,
                                         const std::string& suite_name) {
    std::vector<std::string> notes;
    analyse::outlier_counts outliers;
    std::set<std::string> files_told;
    for (const auto& where : all) {
        const auto* found = find_suite(where, suite_name);
        const bool first_of_file = files_told.insert(where.source->label).second;
        if (found == nullptr || found->measurements.empty()) {
            if (first_of_file) notes.push_back("Not measured in " + where.source->label + ".");
            continue;
        }
        if (first_of_file && !found->complete) {
            notes.push_back("The measurement of " + where.source->label +
                            " was interrupted. Figures may be missing, or come from fewer runs.");
        }
        for (const auto& cell : found->measurements) {
            if (cell.lab != where.lab || cell.exact) continue;
            for (const auto& process : cell.samples) outliers += analyse::count_outliers(process);
        }
    }
    for (auto& note : skip_notes(all, suite_name)) notes.push_back(std::move(note));
    if (outliers.total() != 0) {
        notes.push_back(fmt::format(
            "{} of {} samples are outliers by Tukey's fences, and {} of them are extreme. None was "
            "removed, because the figures are medians.",
            outliers.total(), outliers.samples, outliers.severe_low + outliers.severe_high));
    }
    return notes;
}

}  // namespace freehold
