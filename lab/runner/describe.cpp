// SPDX-License-Identifier: BSL-1.0
#include "runner/describe.hpp"

#include "runner/suites.hpp"
#include "runner/toolchain.hpp"
#include "support/revision.hpp"

#include <iostream>
#include <string>

namespace lab {
namespace {

using nlohmann::ordered_json;

ordered_json families() {
    ordered_json list = ordered_json::array();
    for (const auto& [key, name] : family_names) list.push_back({{"key", key}, {"name", name}});
    return list;
}

ordered_json described(const subject& from) {
    ordered_json one = {{"key", from.key},
                        {"name", from.name},
                        {"family", family_names[static_cast<std::size_t>(from.family)].key},
                        {"folded", from.folded},
                        {"single", from.single}};
    if (!from.version.empty()) one["version"] = from.version;
    if (!from.origin.empty()) one["origin"] = from.origin;
    if (!from.missing.empty()) one["missing"] = from.missing;
    return one;
}

}  // namespace

void describe(const std::vector<subject>& all) {
    ordered_json subjects = ordered_json::array();
    for (const subject& each : all) subjects.push_back(described(each));
    ordered_json suites = ordered_json::array();
    for (const described_suite& each : described_suites()) suites.push_back(each.json());
    const ordered_json description = {
        {"format", "freehold-lab"},
        {"version", 2},
        {"compiler", compiler()},
        {"flags", FREEHOLD_LAB_FLAGS},
        {"standard_library", standard_library()},
        {"library", {{"version", support::version}, {"commit", support::commit}}},
        {"families", families()},
        {"subjects", subjects},
        {"suites", suites}};
    std::cout << description.dump() << std::endl;
}

}  // namespace lab
