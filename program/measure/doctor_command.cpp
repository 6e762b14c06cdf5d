// SPDX-License-Identifier: BSL-1.0
#include "measure/doctor_command.hpp"

#include "measure/interrupts.hpp"
#include "measure/lab.hpp"
#include "measure/lab_locations.hpp"
#include "measure/machine.hpp"
#include "measure/missing_parts.hpp"
#include "measure/noise.hpp"
#include "support/programs.hpp"

#include <algorithm>
#include <cstdio>
#include <set>

#include <fmt/ranges.h>

namespace freehold {
namespace {

std::vector<fact> facts_of(const std::vector<lab>& labs) {
    std::vector<fact> facts;
    for (const lab& each : labs) {
        const lab_description& lab = each.description;
        facts.push_back({"lab " + lab.name,
                         fmt::format("{}, {}, {}", lab.compiler, lab.flags, lab.standard_library)});
        std::set<std::string> parts;
        for (const subject& each_subject : each.subjects)
            if (each_subject.origin && each_subject.version && !each_subject.missing)
                parts.insert(*each_subject.origin + " " + *each_subject.version);
        facts.push_back(
            {"  measures", fmt::format("{} subjects, from {}", each.subjects_present(),
                                       parts.empty() ? "no other library"
                                                     : fmt::format("{}", fmt::join(parts, ", ")))});
    }
    if (!labs.empty()) {
        const library_version& library = labs.front().library;
        facts.push_back({"library", fmt::format("freehold {} ({})", library.version,
                                                library.commit.value_or("unknown commit"))});
    }
    return facts;
}

void print_facts(const std::vector<fact>& facts) {
    std::size_t width = 0;
    for (const fact& each : facts) width = std::max(width, each.name.size());
    for (const fact& each : facts) fmt::print("{:{}}  {}\n", each.name, width, each.value);
}

void print_warnings(const char* heading, const std::vector<warning>& warnings) {
    if (warnings.empty()) return;
    fmt::print("\n{}\n", heading);
    for (const warning& each : warnings) fmt::print("- {}\n    {}\n", each.problem, each.remedy);
}

}  // namespace

int doctor_command(const doctor_options& options) {
    const interrupts interrupts;
    const auto executables = options.labs.empty() ? find_labs(support::own_folder()) : options.labs;
    const auto labs = describe_labs(executables, interrupts);
    const machine machine = describe_machine();

    auto facts = freehold::facts_of(machine);
    const auto more = facts_of(labs);
    facts.insert(facts.end(), more.begin(), more.end());
    print_facts(facts);
    const auto noise = reasons_for_noise(machine);
    print_warnings("Reasons for noise, and what helps:", noise);
    if (noise.empty()) fmt::print("\nNo reason for noise was found.\n");
    print_warnings("Missing, and how to get it:", missing_parts(labs));
    return 0;
}

}  // namespace freehold
