// SPDX-License-Identifier: BSL-1.0
#include "report/sections/competitors.hpp"
#include "report/sections/findings.hpp"
#include "report/sections/medians.hpp"
#include "report/sections/published.hpp"
#include "report/sections/sections.hpp"
#include "report/sections/sharing.hpp"
#include "report/sections/tables.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>

#include <fmt/format.h>

namespace freehold {

namespace {

const std::string bare_pair = "new and delete";
const std::string kept_pair = "new and delete, kept";

const std::array<std::string, 2> standard_libraries{"libstdc++", "libc++"};

struct making {
    std::string test;
    std::string label;
    std::string unit;
};

const std::array<making, 4> makings{{{"one", "one at a time", "ns"},
                                     {"1024 alive", "1024 alive", "ns"},
                                     {"fill", "fill a vector", "s"},
                                     {"refill", "fill it again", "s"}}};

std::string article_test(const std::string& flags, const std::string& library) {
    return fmt::format("seed {} {}", flags, library);
}

/// What the article's ratios are to: the pair that the compiler must keep, where it was measured.
const std::string& pair_in(const setting& where, const std::string& test,
                           const suite_medians& times) {
    return times.find(where, {kept_pair, "threaded", kept_pair}, test) ? kept_pair : bare_pair;
}

/// The article's program had one thread: what it says stands there where that was measured.
bool is_as_in_the_article(const contender& who, const std::vector<contender>& contenders) {
    if (who.process == "single") return true;
    return std::none_of(contenders.begin(), contenders.end(), [&](const contender& other) {
        return other.name == who.name && other.process == "single";
    });
}

/// The saying of 2016 for each contender that was measured as it was.
cell_source sayings(const std::vector<contender>& contenders, const std::string& test) {
    return [&contenders, test](const contender& who) -> std::optional<table_cell> {
        if (!is_as_in_the_article(who, contenders)) return std::nullopt;
        return find_construction_saying(who.name, test);
    };
}

std::optional<table_cell> ratio_cell(const std::optional<estimate>& figure) {
    if (!figure) return std::nullopt;
    return estimate_cell(*figure);
}

/// Of those that call the global operator new and delete: whether it takes less than half of what
/// the two calls take. Then the compiler has deleted them, as the standard allows.
bool is_deleted(const setting& where, const contender& who, const std::string& test,
                const suite_medians& times) {
    const bool allocates = family_of(who.name) == family::standard || who.name == bare_pair;
    const auto share = times.times(where, who, test, kept_pair);
    return allocates && share && share->bounds.high < 0.5;
}

report_table article_table(const std::vector<setting>& settings,
                           const std::vector<contender>& contenders, const suite_medians& times) {
    contender_table table(
        {.id = "construction-article",
         .caption = "Making and dropping an int's owner: how many times as long as new and delete",
         .note = fmt::format("Where it was measured, of the pair that the compiler was kept from "
                             "deleting. {}",
                             construction_source()),
         .row_header = "competitor"},
        contenders);
    for (const auto& where : settings) {
        for (const auto* flags : {"-O0", "-O3"}) {
            for (const auto& library : standard_libraries) {
                const auto test = article_test(flags, library);
                table.add_column({library, fmt::format("{} {}", where.label, flags), ""},
                                 [&](const contender& who) {
                                     auto cell = ratio_cell(times.times(
                                         where, who, test, pair_in(where, test, times)));
                                     if (is_deleted(where, who, test, times))
                                         cell->text = "deleted";
                                     return cell;
                                 });
            }
        }
    }
    const bool measured = !table.finished().rows.empty();
    if (measured) {
        table.add_column({"optimised", "2016", ""}, sayings(contenders, "optimised"));
    }
    return table.finished();
}

/// Without what was deleted: an empty loop has no slowdown.
report_table slowdown_table(const std::vector<setting>& settings,
                            const std::vector<contender>& contenders, const suite_medians& times) {
    contender_table table({.id = "construction-not-optimised",
                           .caption = "The same: how many times as long without optimisation as "
                                      "with it",
                           .row_header = "competitor"},
                          contenders);
    for (const auto& where : settings) {
        for (const auto& library : standard_libraries) {
            table.add_column(
                {library, where.label, ""}, [&](const contender& who) -> std::optional<table_cell> {
                    if (is_deleted(where, who, article_test("-O3", library), times))
                        return std::nullopt;
                    const auto plain = times.find(where, who, article_test("-O0", library));
                    const auto optimised = times.find(where, who, article_test("-O3", library));
                    return ratio_cell(plain && optimised ? ratio(*plain, *optimised)
                                                         : std::nullopt);
                });
        }
    }
    const bool measured = !table.finished().rows.empty();
    if (measured) {
        table.add_column({"both compilers", "2016", ""}, sayings(contenders, "not optimised"));
    }
    return table.finished();
}

std::vector<std::string> deletion_notes(const std::vector<setting>& settings,
                                        const std::vector<contender>& contenders,
                                        const suite_medians& times) {
    // "std::make_unique" by what deleted it, "clang++ -O3 with libc++".
    std::map<std::string, std::vector<std::string>> deleted;
    for (const auto& where : settings) {
        for (const auto* flags : {"-O0", "-O3"}) {
            for (const auto& library : standard_libraries) {
                std::vector<std::string> names;
                for (const auto& who : contenders) {
                    if (is_deleted(where, who, article_test(flags, library), times)) {
                        names.push_back(who.head);
                    }
                }
                if (names.empty()) continue;
                deleted[joined(names)].push_back(
                    fmt::format("{} {} with {}", where.label, flags, library));
            }
        }
    }
    std::vector<std::string> notes;
    for (const auto& [names, places] : deleted) {
        notes.push_back(fmt::format(
            "{} deleted the allocation of {} altogether, as the standard lets it: what is left to "
            "time is an empty loop, and says nothing of the handle.",
            joined(places), names));
    }
    return notes;
}

report_table times_table(const std::vector<setting>& settings,
                         const std::vector<contender>& contenders, const suite_medians& times) {
    contender_table table({.id = "construction-times",
                           .caption = "Time to make an owner and drop it, and to fill a vector "
                                      "with 300,000",
                           .note = "Medians, with half the width of their 95 % interval.",
                           .row_header = "competitor"},
                          contenders);
    for (const auto& where : settings) {
        for (const auto& [test, label, unit] : makings) {
            table.add_column({label, where.label, unit},
                             [&, test = test](const contender& who) -> std::optional<table_cell> {
                                 const auto time = times.find(where, who, test);
                                 if (!time) return std::nullopt;
                                 return error_cell(*time);
                             });
            table.mark_lowest([](const contender& who) { return who.shares(); });
        }
    }
    return table.finished();
}

std::optional<report_plot> ratios_plot(const std::vector<setting>& settings,
                                       const std::vector<contender>& contenders,
                                       const suite_medians& times) {
    report_plot plot;
    plot.id = "construction-plot";
    plot.type = plot_type::bars;
    plot.title = "Making owners and dropping them, against std::make_shared";
    plot.x = {"times std::make_shared", "", axis_scale::linear};
    plot.y = {"competitor", "", axis_scale::category};
    for (const auto& [test, label, unit] : makings) {
        for (const auto& where : settings) {
            plot_series series{where.label, {}, {}, label};
            for (const auto& who : contenders) {
                const auto share = times.times(where, who, test, sharing_baseline);
                if (!share) continue;
                series.points.push_back({.x = share->value,
                                         .low = share->bounds.low,
                                         .high = share->bounds.high,
                                         .category = who.head});
            }
            if (!series.points.empty()) plot.series.push_back(std::move(series));
        }
    }
    if (plot.series.empty()) return std::nullopt;
    plot.data = data_of(plot);
    return plot;
}

std::string finding_of(const std::vector<setting>& settings,
                       const std::vector<contender>& contenders, const suite_medians& times) {
    return lowest_finding({.opening = "A shared owner is made and dropped soonest with",
                           .unit = "ns",
                           .baseline = sharing_baseline,
                           .nothing = "No handle that can share ownership was measured."},
                          ranked_sharers(settings, contenders, times, "one"));
}

}  // namespace

std::optional<report_section> construction_section(const std::vector<setting>& all) {
    const auto settings = settings_with(all, "construction");
    if (settings.empty()) return std::nullopt;
    const auto contenders = contenders_of(settings, "construction");
    std::vector<contender> threaded;
    std::copy_if(contenders.begin(), contenders.end(), std::back_inserter(threaded),
                 [](const contender& who) { return who.process == "threaded"; });
    const suite_medians times(settings, "construction");
    report_section section{"construction",
                           "Constructing and dropping an owner",
                           finding_of(settings, threaded, times),
                           {},
                           {}};
    section.notes.push_back(
        "The article's program makes and drops the owner of an int in a loop. Its compilers were "
        "of 2014 and 2015; a full measurement runs as many turns as it did.");
    section.notes.push_back(
        "One at a time: an owner is made and dropped. 1024 alive: so many are made, then dropped "
        "in the same order. Filling: a vector grows to 300,000 owners; it is sorted and its owners "
        "are dropped in that order, and another is filled; processor time of a child process.");
    for (auto& note : deletion_notes(settings, contenders, times)) {
        section.notes.push_back(std::move(note));
    }
    if (auto plot = ratios_plot(settings, threaded, times)) section.blocks.emplace_back(*plot);
    for (auto& table :
         {times_table(settings, contenders, times), article_table(settings, contenders, times),
          slowdown_table(settings, contenders, times)}) {
        if (!table.rows.empty()) section.blocks.emplace_back(table);
    }
    for (auto& note : measuring_notes(all, "construction")) {
        section.notes.push_back(std::move(note));
    }
    return section;
}

}  // namespace freehold
