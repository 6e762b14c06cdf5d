// SPDX-License-Identifier: BSL-1.0
#include "advise/advice_report.hpp"

#include "advise/advice_cells.hpp"
#include "report/amounts.hpp"

#include <set>
#include <string>

#include <fmt/format.h>

namespace freehold {

namespace {

std::string process_name(const advice& given) {
    if (given.process.name.empty()) return fmt::format("process {}", given.process.id);
    return given.process.name;
}

std::string family_of(const policy_setting& setting) {
    if (setting.is_reimplemented) return "Policies of other libraries";
    return setting.policy == "greedy_dual_fit" ? "Freehold" : "Policies of 2006";
}

std::vector<report_subject> subjects_in(const advice& given) {
    std::vector<report_subject> found{{"offline optimum", "Lower bounds", true}};
    std::set<std::string> known;
    for (const setting_outcome& each : given.outcomes) {
        const std::string name = name_of(each.setting);
        if (!known.insert(name).second) continue;
        found.push_back({name, family_of(each.setting), true});
    }
    return found;
}

std::vector<headline> summary_of(const advice& given) {
    const replay_figures& figures = given.choice().result.halves[1];
    if (!given.worth.is_worth_having) {
        return {{"cache is worth having", "No", given.worth.reason}};
    }
    return {{"of the allocator's time saved", share_text(figures.time_saved()), "second half"},
            {"of the requests served from the cache", share_text(figures.hit_rate()), ""},
            {"of what is handed out is used", share_text(figures.used()), ""},
            {"idle in the mean", bytes_text(figures.mean_idle()), ""}};
}

std::vector<fact> facts_of(const advice& given, const advice_origin& origin) {
    const process_profile& program = given.program;
    std::vector<fact> facts{{"trace", origin.trace}};
    std::string process = process_name(given);
    if (given.processes > 1) {
        process += fmt::format(", which has {} of what the allocator cost {} processes",
                               share_text(given.share_of_cost), given.processes);
    }
    facts.push_back({"process", process});
    facts.push_back(
        {"requests", fmt::format("{} for {} together, at most {} in use at once",
                                 count_text(static_cast<double>(program.requests)),
                                 bytes_text(program.bytes), bytes_text(program.peak_live_bytes))});
    if (given.scope.min_size > 1) {
        facts.push_back(
            {"replayed", fmt::format("the {} for {} or more",
                                     count_text(static_cast<double>(program.considered)),
                                     bytes_text(given.scope.min_size))});
    }
    const double remote = program.frees == 0 ? 0
                                             : static_cast<double>(program.remote_frees) /
                                                   static_cast<double>(program.frees);
    facts.push_back({"threads", given.losses.has_threads
                                    ? fmt::format("{}; {} of the frees are on another thread",
                                                  program.threads, share_text(remote))
                                    : "not recorded: all were replayed as one"});
    if (given.knows_time()) {
        facts.push_back(
            {"recorded", time_text(static_cast<double>(program.last_time - program.first_time))});
    }
    std::string costs;
    for (const allocation_cost& each : given.costs.allocator) {
        costs += fmt::format("{} for {}, ", time_text(each.nanoseconds),
                             bytes_text(static_cast<double>(each.size)));
    }
    costs += given.costs_are_played
                 ? "page faults included; large ones in the order of this program"
                 : "page faults included; in a mix of sizes, not in the order of this program";
    facts.push_back({"allocator on this machine", costs});
    facts.push_back({"cache on this machine", time_text(given.costs.cache) + " a hit"});
    return facts;
}

std::vector<warning> warnings_of(const advice& given) {
    std::vector<warning> told;
    for (const std::string& each : given.losses.warnings) told.push_back({each, ""});
    if (!given.losses.has_threads) {
        told.push_back({"The trace does not say which thread asked",
                        "the effect of thread caches and the frees on other threads are "
                        "unknown: record with `freehold record`"});
    }
    if (!given.knows_time()) {
        told.push_back({"The trace has no times",
                        "every event counts with the same duration, and the share of the "
                        "run that could be saved is unknown: record with `freehold record`"});
    }
    return told;
}

}  // namespace

report_section recommendation_section(const advice& given) {
    const setting_outcome& choice = given.choice();
    const replay_figures& held_out = choice.result.halves[1];
    const std::string name = choice.setting.policy + " (" + choice.setting.words + ")";
    report_section section;
    section.id = "recommendation";
    section.title = "Recommendation";
    if (given.worth.is_worth_having) {
        section.finding = fmt::format("{}: {}.", name, given.worth.reason);
        section.blocks.emplace_back(
            report_code{"code", "Code that uses the library:",
                        code_of(choice.setting, given.costs.allocator, given.scope.min_size)});
    } else {
        section.finding = fmt::format("No cache is worth having: with the best, {}, {}.", name,
                                      given.worth.reason);
    }

    report_table table;
    table.id = "expected";
    table.caption = "The figures of " + name + " for this program";
    table.row_header = "half of the trace";
    table.columns = figure_columns();
    table.rows.push_back(
        {"first half, which chose the policy", false, figure_cells(choice.result.halves[0])});
    table.rows.push_back({"second", false, figure_cells(held_out)});
    const offline_optimum::point& best = given.optimum_as_chosen;
    table.rows.push_back({"second, offline optimum",
                          false,
                          {share_cell(best.hit_rate),
                           share_cell(1),
                           bytes_cell(best.mean_idle),
                           {},
                           {},
                           share_cell(best.time_saved)}});
    section.blocks.emplace_back(std::move(table));

    section.notes.push_back(
        "Time saved is that of the allocator, with the cost of each size "
        "on this machine. In the finding, the time of the cache itself is "
        "subtracted.");
    section.notes.push_back(
        "The offline optimum knows the future, and hands out only the "
        "requested bytes. A policy that saves more hands out "
        "larger buffers.");
    if (given.knows_time() && given.losses.time_resolution > 0) {
        section.notes.push_back(
            "A program runs longer while it is recorded, so the real share of "
            "the run that is saved is larger.");
    }
    if (given.better_reimplemented) {
        const setting_outcome& other = given.outcomes[*given.better_reimplemented];
        const replay_figures& figures = other.result.halves[1];
        section.notes.push_back(fmt::format(
            "A competitor is better here: {} saves {} of the allocator's time with {} idle.",
            other.setting.policy, share_text(figures.time_saved()),
            bytes_text(figures.mean_idle())));
    }
    return section;
}

report_model advice_report(const advice& given, const advice_origin& origin) {
    report_model model;
    model.title = "A buffer cache for " + process_name(given);
    model.subtitle = "Advice from " + origin.trace;
    model.created = origin.created;
    model.made_by = "freehold advise";
    model.summary = summary_of(given);
    model.environment = facts_of(given, origin);
    model.warnings = warnings_of(given);
    model.subjects = subjects_in(given);
    model.sections.push_back(sizes_section(given));
    model.sections.push_back(lifetimes_section(given));
    model.sections.push_back(front_section(given));
    // The recommendation is last, where the user of a terminal still sees it.
    model.sections.push_back(recommendation_section(given));
    return model;
}

}  // namespace freehold
