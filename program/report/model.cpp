// SPDX-License-Identifier: BSL-1.0
#include "report/model.hpp"

#include "report/grouping.hpp"
#include "report/sections/figures.hpp"
#include "report/sections/sections.hpp"

#include <algorithm>
#include <stdexcept>

namespace freehold {

namespace {

/// Facts that all files agree on stand once; others once for each file, by its label.
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

std::vector<warning> warnings_of(const std::vector<labelled_results>& files) {
    std::vector<warning> warnings;
    for (const auto& file : files) {
        for (warning own : file.results.environment.warnings) {
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
        subtitle += "; only competitors that match " + joined(filters) +
                    ", and those they are compared with";
    }
    return subtitle;
}

}  // namespace

report_model build_report(const std::vector<labelled_results>& files) {
    if (files.empty()) throw std::invalid_argument("a report needs a result file");
    const auto settings = settings_of(files);
    report_model model;
    model.title = "What owning memory costs";
    model.subtitle = subtitle_of(files, settings);
    for (const auto& file : files) model.created = std::max(model.created, file.results.created);
    model.summary = summary_of(settings);
    model.environment = facts_of(files);
    model.warnings = warnings_of(files);
    model.labs = labs_of(files);
    for (auto* make : {sharing_section, operations_section, construction_section, threads_section,
                       packets_section, zeroing_section, cold_scan_section, buffers_section,
                       containers_section, footprint_section, cycles_section}) {
        if (auto section = make(settings)) model.sections.push_back(std::move(*section));
    }
    group_competitors(model, settings);
    return model;
}

}  // namespace freehold
