// SPDX-License-Identifier: BSL-1.0
#include "report/model.hpp"

#include "report/sections/overview.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>

namespace freehold {

namespace {

/// Facts that are equal in all files appear once. Other facts appear once for each file, with its
/// label.
std::vector<fact> facts_of(const std::vector<labelled_results>& files) {
    std::vector<fact> facts;
    for (const auto& file : files) {
        for (const auto& own : file.results.environment.facts) {
            const bool shared = std::all_of(files.begin(), files.end(), [&](const auto& other) {
                const auto& theirs = other.results.environment.facts;
                return std::find(theirs.begin(), theirs.end(), own) != theirs.end();
            });
            const fact shown{shared ? own.name : own.name + " (" + file.label + ")", own.value};
            if (std::find(facts.begin(), facts.end(), shown) == facts.end()) facts.push_back(shown);
        }
        const auto& library = file.results.library;
        auto version = library.version;
        if (library.commit) version += " (" + *library.commit + ")";
        const fact shown{files.size() == 1 ? "freehold" : "freehold (" + file.label + ")", version};
        facts.push_back(shown);
    }
    return facts;
}

/// If more samples than this share were taken on a shared core, the page begins with it.
constexpr double share_that_disturbs = 0.02;

std::optional<warning> about_shared_cores(const result_file& results) {
    std::size_t samples = 0;
    sample_counts counts;
    for (const auto& [name, suite] : results.suites) {
        counts += suite.counts;
        for (const auto& cell : suite.measurements)
            if (!cell.exact)
                for (const auto& process : cell.samples) samples += process.size();
    }
    const auto of_all = [&](std::int64_t count) {
        return 100 * static_cast<double>(count) /
               static_cast<double>(std::max(samples, std::size_t{1}));
    };
    if (of_all(counts.disturbed) > 100 * share_that_disturbs)
        return warning{
            fmt::format("{:.0f} % of the samples were taken while another program used the same "
                        "core, and {:.0f} % more were taken again on a quiet one: the disturbed "
                        "ones may be twice as long, and intervals cover only what was seen",
                        of_all(counts.disturbed), of_all(counts.repeated)),
            "measure when the machine, or its host, is quieter; the same command with another "
            "`-o FILE` starts anew"};
    if (of_all(counts.repeated) > 100 * share_that_disturbs)
        return warning{
            fmt::format("another program, perhaps on another virtual machine, used the same core "
                        "in {:.0f} % of the samples",
                        of_all(counts.repeated)),
            "none is needed: they were taken again on a quiet core, and are not shown"};
    return std::nullopt;
}

std::vector<warning> warnings_of(const std::vector<labelled_results>& files) {
    std::vector<warning> warnings;
    for (const auto& file : files) {
        std::vector<warning> all = file.results.environment.warnings;
        if (auto shared = about_shared_cores(file.results))
            all.insert(all.begin(), std::move(*shared));
        for (warning& own : all) {
            if (files.size() > 1) own.problem = file.label + ": " + own.problem;
            warnings.push_back(std::move(own));
        }
    }
    return warnings;
}

std::vector<lab_description> labs_of(const std::vector<labelled_results>& files) {
    std::vector<lab_description> labs;
    for (const auto& file : files) {
        for (lab_description lab : file.results.labs) {
            if (files.size() > 1) lab.name += ", " + file.label;
            labs.push_back(std::move(lab));
        }
    }
    return labs;
}

std::string subtitle_of(const std::vector<labelled_results>& files,
                        const std::vector<setting>& settings) {
    std::vector<std::string> names;
    for (const auto& where : settings) names.push_back(where.label);
    std::string subtitle = "Measured with " + joined(names);
    std::vector<std::string> filters;
    for (const auto& file : files) {
        if (file.results.filter) filters.push_back("\u201c" + *file.results.filter + "\u201d");
    }
    if (!filters.empty()) {
        subtitle +=
            "; only subjects that match " + joined(filters) + ", and those they are compared with";
    }
    return subtitle;
}

/// This many rows fit on a screen, and this many names fit beside the ends of a plot's lines.
constexpr std::size_t most_without_groups = 16;

/// Whether there are so many subjects that they are shown by family.
bool too_many(const std::set<std::string>& names, const std::set<std::string>& heads) {
    const auto count = std::count_if(names.begin(), names.end(),
                                     [&](const std::string& name) { return heads.contains(name); });
    return static_cast<std::size_t>(count) > most_without_groups;
}

void group(report_table& table, const std::set<std::string>& heads) {
    std::set<std::string> names;
    for (const auto& row : table.rows) names.insert(row.head);
    table.grouped = too_many(names, heads);
}

void group(report_plot& plot, const std::set<std::string>& heads) {
    std::set<std::string> names;
    for (const auto& series : plot.series) {
        names.insert(series.name);
        for (const auto& point : series.points) names.insert(point.category);
    }
    plot.grouped = too_many(names, heads);
}

void group(report_code&, const std::set<std::string>&) {}
void group(report_rings&, const std::set<std::string>&) {}

/// Every row head of the suites, in the order of the result files. The row of a subject without a
/// second thread is not central.
std::vector<report_subject> subjects_of(all_figures& figures,
                                        const std::vector<std::string>& suites) {
    std::vector<report_subject> all;
    std::set<std::string> known;
    std::map<std::string, std::string> families;
    for (const auto& where : figures.settings()) {
        for (const auto& each : where.source->results.families)
            families.try_emplace(each.key, each.name);
    }
    std::map<std::string, std::vector<subject_row>> rows;
    for (const auto& suite : suites)
        for (const auto& row : figures.suite(suite).rows())
            if (known.insert(row.head).second) rows[row.key].push_back(row);
    std::set<std::string> placed;
    for (const auto& where : figures.settings()) {
        for (const auto& subject : where.source->results.subjects) {
            if (!placed.insert(subject.key).second) continue;
            for (const auto& row : rows[subject.key])
                all.push_back({row.head, families[row.family],
                               !row.folded && (row.head == subject.name || subject.single)});
        }
    }
    return all;
}

/// Sorted by the order of their descriptions.
std::vector<std::string> suites_in(const std::vector<labelled_results>& files) {
    std::map<std::string, std::int64_t> order;
    for (const auto& file : files)
        for (const auto& [name, suite] : file.results.suites)
            order.try_emplace(name, suite.description.order);
    std::vector<std::string> names;
    for (const auto& [name, place] : order) names.push_back(name);
    std::stable_sort(names.begin(), names.end(),
                     [&](const auto& a, const auto& b) { return order.at(a) < order.at(b); });
    return names;
}

}  // namespace

report_model build_report(const std::vector<labelled_results>& files, bool every_compiler) {
    if (files.empty()) throw std::invalid_argument("a report needs a result file");
    const auto settings = settings_of(files);
    all_figures figures(settings);
    const auto suites = suites_in(files);
    report_model model;
    model.title = "What owning memory costs";
    model.subtitle = subtitle_of(files, settings);
    for (const auto& file : files) model.created = std::max(model.created, file.results.created);
    model.summary = headlines_of(figures);
    model.environment = facts_of(files);
    model.warnings = warnings_of(files);
    model.labs = labs_of(files);
    model.left_out = left_out(settings);
    if (auto first = sharing_section(figures, every_compiler))
        model.sections.push_back(std::move(*first));
    for (const auto& suite : suites)
        if (auto section = suite_section(figures, suite, every_compiler))
            model.sections.push_back(std::move(*section));
    model.aims = aims_of(figures);
    model.subjects = subjects_of(figures, suites);
    std::set<std::string> heads;
    for (const auto& each : model.subjects) heads.insert(each.head);
    for (auto& section : model.sections)
        for (auto& block : section.blocks)
            std::visit([&](auto& each) { group(each, heads); }, block);
    return model;
}

}  // namespace freehold
