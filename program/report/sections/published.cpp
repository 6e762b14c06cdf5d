// SPDX-License-Identifier: BSL-1.0
#include "report/sections/published.hpp"

#include "published_text.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace freehold {

namespace {

using nlohmann::json;

/// "2000: Gavin Collings, “Smart Pointer Timings”, PII-200 running Windows NT version 4.0."
std::string source_of(const json& page) {
    std::string text = page.at("date").get<std::string>();
    if (text == "not stated") text = "Then";
    text += ": ";
    for (const char* name : {"author", "publisher"})
        if (page.contains(name)) text += page[name].get<std::string>() + ", ";
    text += fmt::format("\u201c{}\u201d", page.at("title").get<std::string>());
    const auto machine = page.value("machine", "not stated");
    text += machine == "not stated" ? "; the machine is not stated." : ", " + machine + ".";
    return text;
}

}  // namespace

published_page::published_page(const std::string& text) {
    const auto page = json::parse(text);
    source_ = source_of(page);
    for (const auto& each : page.at("compilers"))
        compilers_.push_back(each.at("name").get<std::string>());
    if (page.contains("predicted_order"))
        order_ = page["predicted_order"].get<std::vector<std::string>>();
    bool named = false;
    for (const auto& cell : page.at("measurements")) {
        const auto compiler = cell.value("compiler", "");
        named = named || !compiler.empty();
        figures_[{compiler, cell.at("subject").get<std::string>(),
                  cell.at("case").get<std::string>(), cell.value("n", std::int64_t{0})}] = {
            with_error(cell.at("value").get<double>(), cell.value("two_deviations", 0.0)),
            cell.value("note", "")};
    }
    if (!named) compilers_ = {""};
}

std::optional<published_figure> published_page::find(const std::string& compiler,
                                                     const std::string& subject,
                                                     const std::string& test_case,
                                                     std::int64_t n) const {
    const auto found = figures_.find({compiler, subject, test_case, n});
    return found == figures_.end() ? std::nullopt : std::optional(found->second);
}

bool published_page::has(const std::string& subject, const std::string& test_case) const {
    return std::any_of(compilers_.begin(), compilers_.end(), [&](const std::string& compiler) {
        return find(compiler, subject, test_case).has_value();
    });
}

std::vector<std::int64_t> published_page::sizes() const {
    std::set<std::int64_t> sizes;
    for (const auto& [key, figure] : figures_) sizes.insert(std::get<3>(key));
    return {sizes.begin(), sizes.end()};
}

const published_page& published(std::string_view name) {
    static const auto pages = [] {
        std::map<std::string, published_page> made;
        for (const auto& [page, text] : published_texts) made.emplace(page, published_page(text));
        return made;
    }();
    return pages.at(std::string(name));
}

}  // namespace freehold
