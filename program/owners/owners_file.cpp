// SPDX-License-Identifier: BSL-1.0
#include "owners/owners_file.hpp"

#include "results/replace_file.hpp"

#include <nlohmann/json.hpp>

namespace freehold {
namespace {

using nlohmann::json;

constexpr const char* owners_format = "freehold-owners";
constexpr int owners_version = 1;

json json_of(const owned_type& each) {
    return {{"type", each.type},     {"alive", each.alive}, {"bytes", each.bytes},
            {"owners", each.owners}, {"weak", each.weak},   {"reachable", each.reachable},
            {"leaked", each.leaked}, {"lost", each.lost}};
}

json json_of(const held_by& step) {
    json result = {{"type", step.type}, {"member", step.member}, {"line", step.line}};
    if (!step.file.empty()) result["file"] = step.file;
    if (!step.closure.empty()) result["closure"] = step.closure;
    return result;
}

json json_of(const owner_cycle& each) {
    json result = {{"instances", each.instances},
                   {"bytes", each.bytes},
                   {"retained", each.retained},
                   {"path", json::array()},
                   {"weaken", nullptr}};
    for (const held_by& step : each.path) result["path"].push_back(json_of(step));
    if (each.weaken) {
        const held_by& step = each.path[each.weaken->step];
        result["weaken"] = {{"type", step.type},
                            {"member", step.member},
                            {"why", each.weaken->why},
                            {"sure", each.weaken->is_sure}};
    }
    return result;
}

json json_of(const object_holders& each) {
    json result = {{"objects", each.objects}, {"holders", json::array()}, {"path", each.path}};
    for (const auto& holder : each.holders)
        result["holders"].push_back(
            {{"holder", holder.what}, {"owners", holder.owners}, {"weak", holder.weak}});
    return result;
}

}  // namespace

void save_owners(const owners_report& report, const std::filesystem::path& file) {
    json result = {{"format", owners_format},
                   {"version", owners_version},
                   {"program", report.program},
                   {"at_end", report.is_at_end},
                   {"memory_bytes", report.memory_bytes},
                   {"stopped_seconds", report.stopped_seconds},
                   {"types", json::array()},
                   {"cycles", json::array()},
                   {"incomplete", report.incomplete}};
    for (const owned_type& each : report.types) result["types"].push_back(json_of(each));
    for (const owner_cycle& each : report.cycles) result["cycles"].push_back(json_of(each));
    if (report.who) result["who"] = json_of(*report.who);
    // A file's name may be invalid UTF-8.
    replace_file(file, result.dump(1, ' ', false, json::error_handler_t::replace) + "\n");
}

}  // namespace freehold
