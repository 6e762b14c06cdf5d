// SPDX-License-Identifier: BSL-1.0
#include "measure/missing_parts.hpp"

#include "support/programs.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace freehold {
namespace {

bool any_lab_is_of(const std::string& compiler, const std::vector<lab>& labs) {
    return std::any_of(labs.begin(), labs.end(), [&](const lab& each) {
        return each.description.compiler.rfind(compiler, 0) == 0;
    });
}

/// One warning for all subjects that are missing for the same reason.
std::vector<warning> missing_subjects(const lab& lab) {
    std::vector<std::pair<std::string, std::vector<std::string>>> names;  // by reason
    for (const subject& each : lab.subjects) {
        if (!each.missing) continue;
        auto found = std::find_if(names.begin(), names.end(),
                                  [&](const auto& known) { return known.first == *each.missing; });
        if (found == names.end()) found = names.insert(found, {*each.missing, {}});
        found->second.push_back(each.name);
    }
    std::vector<warning> missing;
    for (const auto& [reason, subjects] : names)
        missing.push_back({fmt::format("the lab of {} is without {}", lab.description.name,
                                       fmt::join(subjects, ", ")),
                           reason});
    return missing;
}

}  // namespace

std::vector<warning> missing_parts(const std::vector<lab>& labs, const std::string& search_path) {
    std::vector<warning> missing;
    for (const char* compiler : {"g++", "clang++"})
        if (!any_lab_is_of(compiler, labs))
            missing.push_back(
                {fmt::format("there is no lab of {}: nothing is measured with it", compiler),
                 fmt::format("install {}, then build the target freehold_lab",
                             compiler[0] == 'g' ? "g++" : "clang")});
    for (const lab& each : labs) {
        const auto own = missing_subjects(each);
        missing.insert(missing.end(), own.begin(), own.end());
    }
    if (!support::find_program("objdump", search_path))
        missing.push_back(
            {"objdump is not installed: footprint has no code sizes", "install binutils"});
    return missing;
}

std::vector<warning> missing_parts(const std::vector<lab>& labs) {
    return missing_parts(labs, support::search_path());
}

}  // namespace freehold
