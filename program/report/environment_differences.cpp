// SPDX-License-Identifier: BSL-1.0
#include "report/compare_files.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

#include <fmt/format.h>

namespace freehold {

namespace {

using named_values = std::map<std::string, std::string>;

// Facts that change from minute to minute on the same machine.
bool is_volatile(std::string_view fact_name) {
    constexpr std::array words{std::string_view("load"), std::string_view("free"),
                               std::string_view("time")};
    return std::any_of(words.begin(), words.end(), [&](std::string_view word) {
        return fact_name.find(word) != std::string_view::npos;
    });
}

named_values values_of(const result_file& file) {
    named_values values;
    for (const auto& known : file.environment.facts) {
        if (!is_volatile(known.name)) values[known.name] = known.value;
    }
    values["mode of measuring"] = file.mode;
    values["filter"] = file.filter.value_or("");
    for (const auto& lab : file.labs) {
        values[lab.name] = lab.compiler;
        values[lab.name + " flags"] = lab.flags;
        values[lab.name + " standard library"] = lab.standard_library;
    }
    for (const auto& subject : file.subjects)
        if (subject.version && !subject.missing)
            values[subject.origin.value_or(subject.name)] = *subject.version;
    return values;
}

std::string shown(const named_values& values, const std::string& name) {
    const auto found = values.find(name);
    return found == values.end() || found->second.empty() ? "none" : found->second;
}

}  // namespace

std::vector<std::string> environment_differences(const result_file& base,
                                                 const result_file& changed) {
    const auto before = values_of(base);
    const auto after = values_of(changed);
    auto names = before;
    names.insert(after.begin(), after.end());
    std::vector<std::string> differences;
    for (const auto& [name, value] : names) {
        const auto was = shown(before, name);
        const auto is = shown(after, name);
        if (was != is) differences.push_back(fmt::format("{}: {}, now {}", name, was, is));
    }
    return differences;
}

}  // namespace freehold
