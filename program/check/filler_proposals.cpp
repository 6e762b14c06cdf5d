// SPDX-License-Identifier: BSL-1.0
#include "check/filler_proposals.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>
#include <utility>

#include <fmt/format.h>

namespace freehold {
namespace {

struct form {
    const char* how;
    const char* condition;  // under which the function fills its buffer
};
// If several forms promise the same number of findings, the first is proposed.
constexpr std::array<form, 5> forms = {{
    {"all", "always fills its buffer"},
    {"result", "writes as many bytes as its result says"},
    {"zero", "fills its buffer whenever its result is 0"},
    {"nonzero", "fills its buffer whenever its result is not 0"},
    {"notnegative", "fills its buffer whenever its result is not negative"},
}};

using places = std::set<std::string>;

using places_by_form = std::map<std::string, places>;
using forms_by_arguments = std::map<std::string, places_by_form>;

/// If the result is a number of bytes, it may be smaller than the buffer, and is no mere status.
bool is_contradicted(const std::string& how, const forms_by_arguments& of_name) {
    return (how == "nonzero" || how == "notnegative") &&
           std::any_of(of_name.begin(), of_name.end(),
                       [](const auto& each) { return each.second.count("result") != 0; });
}

std::string normal(const std::string& place) {
    return std::filesystem::path(place).lexically_normal().string();
}

/// The part of an entry before the last colon, and behind it.
std::pair<std::string, std::string> split(const std::string& entry) {
    const std::size_t colon = entry.rfind(':');
    return {entry.substr(0, colon), entry.substr(colon + 1)};
}

std::string name_of(const std::string& arguments) {
    return split(split(arguments).first).first;
}

}  // namespace

std::vector<filler_proposal> proposals_of(const std::vector<promised_finding>& promised,
                                          const std::vector<finding>& found) {
    places known;
    for (const finding& each : found)
        known.insert(normal(fmt::format("{}:{}:{}", each.file, each.line, each.column)));
    // By name and by arguments, because .clang-tidy has one entry for each name.
    std::map<std::string, forms_by_arguments> all;
    for (const promised_finding& each : promised) {
        const std::string place = normal(each.place);
        const auto [arguments, how] = split(each.entry);
        if (known.count(place) == 0) all[name_of(arguments)][arguments][how].insert(place);
    }
    std::vector<filler_proposal> result;
    for (const auto& [name, of_name] : all) {
        filler_proposal best;
        for (const auto& [arguments, by_form] : of_name)
            for (const form& each : forms) {
                const auto would = by_form.find(each.how);
                if (would == by_form.end() || would->second.size() <= best.places.size() ||
                    is_contradicted(each.how, of_name))
                    continue;
                best = {name,
                        each.how,
                        arguments + ":" + each.how,
                        {would->second.begin(), would->second.end()}};
            }
        result.push_back(std::move(best));
    }
    std::stable_sort(result.begin(), result.end(),
                     [](const filler_proposal& a, const filler_proposal& b) {
                         return a.places.size() > b.places.size();
                     });
    return result;
}

std::string text_of(const std::vector<filler_proposal>& proposals,
                    const std::vector<std::string>& so_far) {
    constexpr std::size_t most = 5;
    if (proposals.empty()) return {};
    std::vector<std::string> entries;
    for (const std::string& option : so_far) {
        std::istringstream list(option);
        for (std::string each; std::getline(list, each, ';');)
            if (std::find(entries.begin(), entries.end(), each) == entries.end())
                entries.push_back(each);
    }
    std::string result;
    const std::size_t shown = std::min(most, proposals.size());
    for (std::size_t i = 0; i < shown; ++i) {
        const filler_proposal& each = proposals[i];
        const auto* how = std::find_if(forms.begin(), forms.end(),
                                       [&](const form& one) { return each.how == one.how; });
        result +=
            fmt::format("If `{}` {}, {} more finding{}.\n", each.name, how->condition,
                        each.places.size(), each.places.size() == 1 ? " follows" : "s follow");
        entries.push_back(each.entry);
    }
    if (shown < proposals.size())
        result += fmt::format("--json shows {} more such function{}.\n", proposals.size() - shown,
                              proposals.size() - shown == 1 ? "" : "s");
    result += fmt::format(
        "Write into .clang-tidy those of which this is true:\nCheckOptions:\n"
        "  - key: freehold-hidden-zeroing.FillFunctions\n    value: '{}'\n",
        fmt::join(entries, ";"));
    return result;
}

}  // namespace freehold
