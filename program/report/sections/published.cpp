// SPDX-License-Identifier: BSL-1.0
#include "report/sections/published.hpp"

#include "published_text.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace freehold {

namespace {

struct published_page {
    std::vector<std::string> compilers;
    std::string source;
    std::map<std::tuple<std::string, std::string, std::string>, published_figure> figures;
};

published_page parse(std::string_view text) {
    const auto json = nlohmann::json::parse(text);
    published_page page;
    page.source =
        fmt::format("2000: {}, \u201c{}\u201d, {}.", json.at("author").get<std::string>(),
                    json.at("title").get<std::string>(), json.at("machine").get<std::string>());
    for (const auto& compiler : json.at("compilers")) {
        page.compilers.push_back(compiler.at("name").get<std::string>());
    }
    for (const auto& cell : json.at("measurements")) {
        page.figures[{cell.at("compiler").get<std::string>(),
                      cell.at("competitor").get<std::string>(),
                      cell.at("test").get<std::string>()}] = {
            with_error(cell.at("value").get<double>(), cell.value("two_deviations", 0.0)),
            cell.value("note", "")};
    }
    return page;
}

const published_page& page() {
    static const published_page parsed = parse(published_in_2000);
    return parsed;
}

}  // namespace

const std::vector<std::string>& published_compilers() {
    return page().compilers;
}

const std::string& published_source() {
    return page().source;
}

std::optional<published_figure> find_published(const std::string& compiler,
                                               const std::string& competitor,
                                               const std::string& test) {
    const auto found = page().figures.find({compiler, competitor, test});
    if (found == page().figures.end()) return std::nullopt;
    return found->second;
}

namespace {

struct construction_page {
    std::string source;
    std::map<std::pair<std::string, std::string>, table_cell> sayings;
};

construction_page parse_construction() {
    const auto json = nlohmann::json::parse(published_in_2016);
    std::vector<std::string> compilers;
    for (const auto& compiler : json.at("compilers")) {
        compilers.push_back(compiler.at("name").get<std::string>());
    }
    construction_page page;
    page.source = fmt::format("2016: {}, \u201c{}\u201d, {}, in words of its text.",
                              json.at("author").get<std::string>(),
                              json.at("title").get<std::string>(), joined(compilers));
    for (const auto& cell : json.at("measurements")) {
        page.sayings[{cell.at("competitor").get<std::string>(),
                      cell.at("test").get<std::string>()}] = {
            cell.at("note").get<std::string>(), cell.at("value").get<double>(), {}, {}, {}};
    }
    return page;
}

const construction_page& page_of_2016() {
    static const construction_page parsed = parse_construction();
    return parsed;
}

}  // namespace

const std::string& construction_source() {
    return page_of_2016().source;
}

std::optional<table_cell> find_construction_saying(const std::string& competitor,
                                                   const std::string& test) {
    const auto found = page_of_2016().sayings.find({competitor, test});
    if (found == page_of_2016().sayings.end()) return std::nullopt;
    return found->second;
}

namespace {

six_ways_page parse_six_ways() {
    const auto json = nlohmann::json::parse(published_in_2017);
    six_ways_page page;
    page.predicted_order = json.at("predicted_order").get<std::vector<std::string>>();
    std::vector<std::string> compilers;
    for (const auto& compiler : json.at("compilers")) {
        compilers.push_back(compiler.at("name").get<std::string>());
        page.columns.push_back({compilers.back(), {}});
    }
    page.source = fmt::format("2017: \u201c{}\u201d, {}.", json.at("title").get<std::string>(),
                              joined(compilers));
    for (const auto& cell : json.at("measurements")) {
        const auto compiler = cell.at("compiler").get<std::string>();
        const auto column =
            std::find_if(page.columns.begin(), page.columns.end(),
                         [&](const auto& each) { return each.compiler == compiler; });
        auto competitor = cell.at("competitor").get<std::string>();
        if (competitor == "pool") competitor = "freehold::pool";  // each is its own pool alone
        column->figures[competitor] = cell.at("value").get<double>();
    }
    return page;
}

}  // namespace

std::optional<double> six_ways_page::column::find(const std::string& competitor) const {
    const auto found = figures.find(competitor);
    if (found == figures.end()) return std::nullopt;
    return found->second;
}

const six_ways_page& published_six_ways() {
    static const six_ways_page parsed = parse_six_ways();
    return parsed;
}

namespace {

zeroing_page parse_zeroing() {
    const auto json = nlohmann::json::parse(published_by_oxla);
    zeroing_page page;
    page.source =
        fmt::format("Then: {}, {}, \u201c{}\u201d, on a machine that it does not name.",
                    json.at("author").get<std::string>(), json.at("publisher").get<std::string>(),
                    json.at("title").get<std::string>());
    for (const auto& cell : json.at("measurements")) {
        page.figures[{cell.at("competitor").get<std::string>(),
                      cell.at("test").get<std::string>()}] = cell.at("value").get<double>();
    }
    return page;
}

}  // namespace

std::optional<double> zeroing_page::find(const std::string& competitor,
                                         const std::string& test) const {
    const auto found = figures.find({competitor, test});
    if (found == figures.end()) return std::nullopt;
    return found->second;
}

const zeroing_page& published_zeroing() {
    static const zeroing_page parsed = parse_zeroing();
    return parsed;
}

namespace {

buffers_page parse_buffers() {
    const auto json = nlohmann::json::parse(published_by_chen);
    buffers_page page;
    page.source =
        fmt::format("Printed: {}, \u201c{}\u201d, {}.", json.at("author").get<std::string>(),
                    json.at("title").get<std::string>(), json.at("date").get<std::string>());
    std::set<std::int64_t> steps;
    for (const auto& cell : json.at("measurements")) {
        const auto step = cell.at("n").get<std::int64_t>();
        steps.insert(step);
        page.figures[{cell.at("competitor").get<std::string>(), cell.at("test").get<std::string>(),
                      step}] = cell.at("value").get<double>();
    }
    page.steps.assign(steps.begin(), steps.end());
    return page;
}

}  // namespace

std::optional<double> buffers_page::find(const std::string& competitor, const std::string& test,
                                         std::int64_t step) const {
    const auto found = figures.find({competitor, test, step});
    if (found == figures.end()) return std::nullopt;
    return found->second;
}

const buffers_page& published_buffers() {
    static const buffers_page parsed = parse_buffers();
    return parsed;
}

}  // namespace freehold
