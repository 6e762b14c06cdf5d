// SPDX-License-Identifier: BSL-1.0
#include "owners/owners_file.hpp"

#include "results/replace_file.hpp"

#include <fstream>
#include <utility>

#include <fmt/format.h>
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

json json_of(const owner_ring& each) {
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

json growth_json(const std::vector<owners_look>& looks) {
    json result = {{"seconds", json::array()}, {"types", json::array()}};
    for (const owners_look& each : looks) result["seconds"].push_back(each.seconds);
    for (const type_growth& each : growth_in(looks))
        result["types"].push_back(
            {{"type", each.type}, {"alive", each.alive}, {"only_rises", each.only_rises()}});
    return result;
}

json parsed(const std::filesystem::path& path) {
    std::ifstream file(path);
    return json::parse(file, nullptr, false);
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
    for (const owner_ring& each : report.rings) result["cycles"].push_back(json_of(each));
    if (report.who) result["who"] = json_of(*report.who);
    if (!report.looks.empty()) result["growth"] = growth_json(report.looks);
    // A file's name may be invalid UTF-8.
    replace_file(file, result.dump(1, ' ', false, json::error_handler_t::replace) + "\n");
}

bool is_owners_file(const std::filesystem::path& file) {
    const json found = parsed(file);
    return found.is_object() && found.value("format", json()) == owners_format;
}

owners_report load_owners(const std::filesystem::path& path) try {
    const json found = parsed(path);
    if (!found.is_object() || found.value("format", json()) != owners_format)
        throw owners_error(fmt::format(
            "{}: is no file of `freehold owners --json`; compare two of these", path.string()));
    if (found.at("version") != owners_version)
        throw owners_error(fmt::format(
            "{}: has version {} of the format, and not {}; write it again with this freehold",
            path.string(), found.at("version").dump(), owners_version));
    owners_report result;
    result.program = found.at("program");
    for (const json& each : found.at("types"))
        result.types.push_back({each.at("type"), each.at("alive"), each.at("bytes"),
                                each.at("owners"), each.at("weak"), each.at("reachable"),
                                each.at("leaked"), each.at("lost")});
    for (const json& each : found.at("cycles")) {
        owner_ring ring;
        ring.instances = each.at("instances");
        ring.bytes = each.at("bytes");
        ring.retained = each.at("retained");
        for (const json& step : each.at("path"))
            ring.path.push_back({step.at("type"), step.at("member"), step.at("line"),
                                 step.value("file", std::string()), false,
                                 step.value("closure", std::string())});
        if (ring.path.empty()) throw owners_error(path.string() + ": has a ring without a path");
        result.rings.push_back(std::move(ring));
    }
    return result;
} catch (const json::exception& error) {
    throw owners_error(
        fmt::format("{}: is damaged ({}); write it again", path.string(), error.what()));
}

}  // namespace freehold
