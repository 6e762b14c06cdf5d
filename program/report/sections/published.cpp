// SPDX-License-Identifier: BSL-1.0
#include "report/sections/published.hpp"

#include "published_text.hpp"

#include <map>
#include <tuple>

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
    static const published_page parsed = parse(published_text);
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

}  // namespace freehold
