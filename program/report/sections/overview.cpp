// SPDX-License-Identifier: BSL-1.0
#include "report/sections/overview.hpp"

#include "overview_text.hpp"
#include "report/sections/findings.hpp"
#include "report/sections/special_blocks.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace freehold {

namespace {

using nlohmann::json;

constexpr std::size_t most_headlines = 10;
constexpr std::size_t most_unfavourable = 3;

const json& overview() {
    static const json parsed = json::parse(overview_text);
    return parsed;
}

std::string text(const json& node, const char* name) {
    return node.value(name, std::string());
}

std::string head_of(const suite_figures& figures, const std::string& key) {
    for (const auto& row : figures.rows())
        if (row.key == key) return row.head;
    return key;
}

struct measured_ratio {
    estimate times;
    std::string label;  // the setting's label
    estimate own;
    std::string unit;
};

/// The ratio in the first setting that measured both subjects.
std::optional<measured_ratio> ratio_of(const suite_figures& figures, const std::string& subject,
                                       const std::string& test_case, const std::string& reference) {
    for (const auto& where : figures.settings()) {
        const subject_row row{subject};
        const auto times = figures.times(where, row, test_case, reference);
        if (!times) continue;
        const auto* known = figures.description()->find_case(test_case);
        return measured_ratio{*times, where.label, *figures.find(where, row, test_case),
                              known == nullptr ? "" : known->unit};
    }
    return std::nullopt;
}

headline headline_for(const std::string& what, const suite_figures& figures,
                      const std::string& subject, const std::string& reference,
                      const measured_ratio& found) {
    const auto& bounds = found.times.bounds;
    auto value = figure_text(found.times.value) + "\u00d7";
    const bool point = figure_text(bounds.low) == figure_text(bounds.high);
    const auto interval =
        point ? std::string()
              : fmt::format("{} to {}", figure_text(bounds.low), figure_text(bounds.high));
    headline made{what, std::move(value),
                  fmt::format("{} against {}; {} {}, {}", head_of(figures, subject),
                              head_of(figures, reference), figure_text(found.own.value), found.unit,
                              found.label)};
    made.interval = interval;
    return made;
}

/// For each suite, the case of one of Freehold's subjects with the highest ratio to the baseline.
/// The whole interval of the ratio is above 1.
std::vector<headline> unfavourable(all_figures& all) {
    const auto& spec = overview().at("unfavourable");
    std::vector<std::pair<double, headline>> found;
    for (const auto& baseline : spec.at("baselines")) {
        const auto& figures = all.suite(text(baseline, "suite"));
        std::optional<std::pair<double, headline>> worst;
        for (const auto& row : figures.rows()) {
            if (row.family != text(spec, "family") || row.folded || row.process != "threaded")
                continue;
            for (const auto& test_case : baseline.at("cases")) {
                const auto times = ratio_of(figures, row.key, test_case, text(baseline, "of"));
                if (!times || !(times->times.bounds.low > 1)) continue;
                if (worst && worst->first >= times->times.value) continue;
                const auto* known = figures.description()->find_case(test_case.get<std::string>());
                auto made = headline_for(
                    fmt::format("{}: {}", figures.description()->title,
                                known == nullptr ? test_case.get<std::string>() : known->label),
                    figures, row.key, text(baseline, "of"), *times);
                made.unfavourable = true;
                worst = {times->times.value, std::move(made)};
            }
        }
        if (worst) found.push_back(std::move(*worst));
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    std::vector<headline> lines;
    for (auto& [times, line] : found)
        if (lines.size() != most_unfavourable) lines.push_back(std::move(line));
    return lines;
}

/// The rows of several suites. Each subject occurs once, in the order of the result files.
std::vector<subject_row> rows_of(all_figures& all, std::initializer_list<const char*> suites) {
    std::map<std::string, subject_row> known;
    for (const char* suite : suites)
        for (const auto& row : all.suite(suite).rows())
            if (row.process == "threaded") known.try_emplace(row.key, row);
    std::vector<subject_row> rows;
    std::set<std::string> placed;
    for (const auto& where : all.settings())
        for (const auto& subject : where.source->results.subjects)
            if (const auto found = known.find(subject.key);
                found != known.end() && placed.insert(subject.key).second)
                rows.push_back(found->second);
    return rows;
}

struct chosen {
    std::string need;
    subject_row who;
    double nanoseconds = 0;
};

/// What each of two threads needs to copy and release an owner of one object at the same time.
std::optional<estimate> copied_by_two_threads(all_figures& all, const setting& where,
                                              const subject_row& row) {
    return all.suite("threads").find(where, row, "one_object", 2);
}

/// What a choice is made by: the time that two threads need, if the choice says so; otherwise the
/// time to make, copy and release an owner. There the copy counts only if it was measured.
std::optional<double> time_for(all_figures& all, const json& choice, const setting& where,
                               const subject_row& row) {
    if (choice.value("by_two_threads", false)) {
        const auto copied = copied_by_two_threads(all, where, row);
        return copied ? std::optional(copied->value) : std::nullopt;
    }
    const auto made = all.suite("construction").find(where, row, "one");
    if (!made) return std::nullopt;
    const auto copied = all.suite("operations").find(where, row, "copy");
    return made->value + (copied ? copied->value : 0);
}

/// The subject that takes the least time. Empty if none was measured.
std::optional<chosen> choose(all_figures& all, const json& choice, const setting& where,
                             const std::vector<subject_row>& rows) {
    std::optional<chosen> best;
    for (const auto& subject : choice.at("subjects")) {
        const auto key = subject.get<std::string>();
        const auto row = std::find_if(rows.begin(), rows.end(),
                                      [&](const subject_row& each) { return each.key == key; });
        if (row == rows.end()) continue;
        const auto time = time_for(all, choice, where, *row);
        if (time && (!best || *time < best->nanoseconds))
            best = {text(choice, "need"), *row, *time};
    }
    return best;
}

report_table choices_table(all_figures& all, const setting& where,
                           const std::vector<subject_row>& rows) {
    report_table table{
        .id = "choices",
        .caption = "Which handle to choose, by the figures of this machine",
        .note = fmt::format(
            "With {}. Each row shows the handle that meets the need and is made, copied and "
            "released in the least time; if many threads copy one object, the one that two "
            "threads copy in the least time. Make and copy include the release. Copy elsewhere: "
            "on another thread than the one that made the object. By two: the time of each of two "
            "threads that copy one object at the same time. Beyond it: memory beyond "
            "the object. std's handles take memory from the heap, make_shared and arc of freehold "
            "from pools. "
            "The last row is std::make_shared, for comparison.",
            where.label),
        .row_header = "need"};
    table.columns = {{"handle", "", ""},        {"make", "", "ns"},
                     {"copy", "", "ns"},        {"copy elsewhere", "", "ns"},
                     {"copy by two", "", "ns"}, {"beyond it", "", "bytes"}};
    const auto add = [&](const std::string& need, const subject_row& who) {
        const auto by_two = copied_by_two_threads(all, where, who);
        const auto cell = [&](const char* suite, const char* test_case, bool exact = false) {
            const auto figure = all.suite(suite).find(where, who, test_case);
            if (!figure) return std::optional<table_cell>();
            return std::optional(exact ? exact_cell(figure->value) : estimate_cell(*figure));
        };
        table.rows.push_back({need,
                              need == "today",
                              {table_cell{who.head, {}, {}, {}, {}}, cell("construction", "one"),
                               cell("operations", "copy"), cell("threads", "non_owner"),
                               by_two ? std::optional(estimate_cell(*by_two)) : std::nullopt,
                               cell("footprint", "beyond_the_object", true)}});
    };
    for (const auto& choice : overview().at("choices"))
        if (const auto found = choose(all, choice, where, rows)) add(found->need, found->who);
    if (table.rows.empty()) return table;
    for (const auto& row : rows)
        if (row.key == "std.make_shared") add("today", row);
    remove_empty(table);
    return table;
}

/// "Copying costs 5.0 ns ...": the first sentence of the section.
std::string sharing_sentence(all_figures& all, const setting& where) {
    const subject_row standard{"std.make_shared"};
    const auto copied = all.suite("operations").find(where, standard, "copy");
    const auto made = all.suite("construction").find(where, standard, "one");
    if (!copied || !made) return {};
    std::string sentence = fmt::format(
        "With std::make_shared, it takes {} ns to make and release an owner, and {} ns to copy one",
        figure_text(made->value), figure_text(copied->value));
    const auto copies =
        all.suite("operations").times(where, {"freehold.make_shared.biased"}, "copy", standard.key);
    const auto makes =
        all.suite("construction").times(where, {"freehold.make_shared"}, "one", standard.key);
    if (copies && makes)
        sentence += fmt::format(
            ". freehold::make_shared takes {} times as long to make one, and its biased "
            "handle {} times as long to copy",
            figure_text(makes->value), figure_text(copies->value));
    return sentence + ".";
}

/// When a sharded count pays here, and when not.
std::string sharding_note(all_figures& all, const setting& where) {
    const auto& spec = overview().at("sharding");
    const subject_row sharded{text(spec, "subject")};
    const auto own = copied_by_two_threads(all, where, sharded);
    const auto ordinary = copied_by_two_threads(all, where, {text(spec, "of")});
    if (!own || !ordinary) return {};
    const auto times = ratio(*own, *ordinary);
    std::string note = fmt::format(
        "While another thread does the same with the same object, it takes {} ns to copy and "
        "release an owner with sharded_count, and {} ns with atomic_count.",
        figure_text(own->value), figure_text(ordinary->value));
    if (!times || times->bounds.high >= 1) return note + " " + text(spec, "otherwise");
    if (const auto gathered = all.suite("threads").find(where, sharded, "share_out")) {
        constexpr double threads = 2;
        constexpr double nanoseconds = 1000;
        const double saved = (ordinary->value - own->value) / threads;
        note += fmt::format(
            " Sharing out and gathering takes {} \u00b5s. This pays after {} copies of both "
            "threads together.",
            figure_text(gathered->value),
            exact_text(std::ceil(gathered->value * nanoseconds / saved)));
    }
    return note + " " + text(spec, "pays");
}

std::optional<estimate> aim_figure(all_figures& all, const json& aim, const setting& where) {
    auto& figures = all.suite(text(aim, "suite"));
    if (aim.contains("front")) {
        const page_context context{all, text(aim, "suite"), {where}, figures.rows(), {}};
        return front_aim(context, where, text(aim, "front"), text(aim, "workload"),
                         aim.value("kibibytes", 0.0));
    }
    const auto figure_of = [&](const std::string& subject,
                               const std::string& test_case) -> std::optional<estimate> {
        if (!aim.contains("sizes")) return figures.find(where, {subject}, test_case);
        std::optional<estimate> all_sizes;
        for (const auto& [n, time] : figures.sizes(where, {subject}, test_case)) {
            if (!all_sizes || (text(aim, "sizes") == "slowest" && time.value > all_sizes->value)) {
                all_sizes = time;
            } else if (text(aim, "sizes") == "sum") {
                const auto half = [](const estimate& each) {
                    return (each.bounds.high - each.bounds.low) / 2;
                };
                all_sizes = with_error(all_sizes->value + time.value,
                                       std::hypot(half(*all_sizes), half(time)));
            }
        }
        return all_sizes;
    };
    const auto own = figure_of(text(aim, "subject"), text(aim, "case"));
    if (!own || !aim.contains("of")) return own;
    std::optional<estimate> lowest;
    for (const auto& reference : aim["of"]) {
        const auto other = figure_of(reference, aim.value("of_case", text(aim, "case")));
        if (other && (!lowest || other->value < lowest->value)) lowest = other;
    }
    return lowest ? ratio(*own, *lowest) : std::nullopt;
}

/// If the interval includes the aim itself, the result is unsure, because further runs may give
/// either.
const char* verdict_of(double at_most, const estimate& figure) {
    if (figure.bounds.high <= at_most) return "yes";
    return figure.bounds.low > at_most ? "no" : "unsure";
}

}  // namespace

std::vector<headline> headlines_of(all_figures& all) {
    auto worst = unfavourable(all);
    std::vector<headline> lines;
    for (const auto& spec : overview().at("headlines")) {
        if (lines.size() + worst.size() == most_headlines) break;
        const auto& figures = all.suite(text(spec, "suite"));
        const auto found =
            ratio_of(figures, text(spec, "subject"), text(spec, "case"), text(spec, "of"));
        if (!found) continue;
        auto made = headline_for(text(spec, "what"), figures, text(spec, "subject"),
                                 text(spec, "of"), *found);
        const auto& family = text(overview().at("unfavourable"), "family");
        const auto& rows = figures.rows();
        made.unfavourable = found->times.bounds.low > 1 &&
                            std::any_of(rows.begin(), rows.end(), [&](const subject_row& row) {
                                return row.key == text(spec, "subject") && row.family == family;
                            });
        lines.push_back(std::move(made));
    }
    std::move(worst.begin(), worst.end(), std::back_inserter(lines));
    return lines;
}

std::optional<report_section> sharing_section(all_figures& all, bool every_compiler) {
    page_context context{all, "operations", {}, rows_of(all, {"operations", "construction"}), {}};
    for (const auto& where : all.settings()) {
        const bool measured =
            std::any_of(context.rows.begin(), context.rows.end(), [&](const subject_row& row) {
                return all.suite("construction").find(where, row, "one").has_value() ||
                       all.suite("operations").find(where, row, "copy").has_value();
            });
        const bool first =
            std::none_of(context.settings.begin(), context.settings.end(),
                         [&](const setting& known) { return known.source == where.source; });
        if (measured && (first || every_compiler)) context.settings.push_back(where);
    }
    if (context.settings.empty()) return std::nullopt;
    const json_node node(overview().at("sharing"), "sharing");
    const auto page = page_from(node);
    context.not_ranked = page.not_ranked;
    report_section section;
    section.id = "sharing";
    section.title = page.title;
    section.notes = page.notes;
    section.finding = sharing_sentence(all, context.settings.front());
    if (section.finding.empty()) section.finding = page.reading.nothing;
    if (auto note = sharding_note(all, context.settings.front()); !note.empty())
        section.notes.push_back(std::move(note));
    auto choices = choices_table(all, context.settings.front(), context.rows);
    if (!choices.rows.empty()) section.blocks.emplace_back(std::move(choices));
    for (const auto& block : page.blocks) {
        if (const auto* plot = std::get_if<plot_spec>(&block)) {
            auto made = draw_plot(*plot, context);
            if (!made.series.empty()) section.blocks.emplace_back(std::move(made));
        } else if (const auto* table = std::get_if<table_spec>(&block)) {
            for (std::size_t i = 0; i != context.settings.size(); ++i) {
                auto own = context;
                own.settings = {context.settings[i]};
                auto made = draw_table(*table, own);
                if (i != 0) made.id += fmt::format("-{}", i + 1);
                if (!made.rows.empty()) section.blocks.emplace_back(std::move(made));
            }
        }
    }
    return section;
}

std::vector<report_table> aims_of(all_figures& all) {
    static const json parsed = json::parse(aims_text);
    std::map<std::string, report_table> tables;
    std::vector<std::string> order;
    for (const auto& aim : parsed.at("aims")) {
        const auto suite = text(aim, "suite");
        const auto& figures = all.suite(suite);
        if (figures.settings().empty()) continue;
        auto [at, fresh] = tables.try_emplace(suite);
        auto& table = at->second;
        if (fresh) {
            order.push_back(suite);
            table.id = suite + "-aims";
            table.caption = figures.description()->title + ": aims";
            table.row_header = "what";
            table.columns = {{"at most", "", ""}, {"of", "", ""}};
            for (const auto& where : figures.settings()) {
                table.columns.push_back({"measured", where.label, ""});
                table.columns.push_back({"reached", where.label, ""});
            }
        }
        const auto words = [](std::string said) {
            return table_cell{std::move(said), {}, {}, {}, {}};
        };
        const double at_most = aim.at("at_most");
        table_row row{aim.contains("subject") ? fmt::format("{}: {}", text(aim, "what"),
                                                            head_of(figures, aim["subject"]))
                                              : text(aim, "what"),
                      false,
                      {words(fmt::format("{}", at_most))}};
        row.cells.push_back(
            aim.contains("of")
                ? std::optional(words(head_of(figures, aim["of"].front()) +
                                      (aim["of"].size() > 1 ? " or a faster variant" : "")))
                : std::nullopt);
        for (const auto& where : figures.settings()) {
            const auto figure = aim_figure(all, aim, where);
            if (!figure) {
                row.cells.resize(row.cells.size() + 2);
                continue;
            }
            row.cells.push_back(estimate_cell(*figure));
            row.cells.push_back(words(verdict_of(at_most, *figure)));
        }
        table.rows.push_back(std::move(row));
    }
    std::vector<report_table> all_tables;
    for (const auto& suite : order) all_tables.push_back(std::move(tables.at(suite)));
    return all_tables;
}

std::vector<warning> left_out(const std::vector<setting>& settings) {
    std::map<std::string, std::set<std::string>> subjects;  // names, by the remedy that adds them
    std::vector<warning> found;
    std::set<const labelled_results*> seen;
    for (const auto& where : settings) {
        if (!seen.insert(where.source).second) continue;
        for (const auto& each : where.source->results.subjects)
            if (each.missing) subjects[*each.missing].insert(each.name);
        for (const auto& [name, suite] : where.source->results.suites) {
            if (!suite.measurements.empty()) continue;
            auto remedy =
                fmt::format("`freehold measure {} -o FILE`, or `scripts/report {}`", name, name);
            if (!suite.description.needs.empty()) remedy += "; needs " + suite.description.needs;
            found.push_back({"suite " + name, remedy});
        }
    }
    for (const auto& [remedy, names] : subjects)
        found.push_back({fmt::format("{}", fmt::join(names, ", ")), remedy});
    return found;
}

}  // namespace freehold
