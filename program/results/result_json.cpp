// SPDX-License-Identifier: BSL-1.0
#include "results/result_json.hpp"

#include "results/json_node.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include <fmt/ranges.h>

namespace freehold {
namespace {

using nlohmann::ordered_json;

constexpr int version_read_and_written = 2;
constexpr const char* last_commit_that_reads_version_1 = "7247cea";
constexpr const char* format_name = "freehold-results";

std::optional<std::string> optional_string(const json_node& node, const std::string& name) {
    const auto found = node.find(name);
    return found ? std::optional(found->string()) : std::nullopt;
}

std::string one_of(const json_node& node, std::initializer_list<const char*> allowed) {
    std::string value = node.string();
    if (std::find(allowed.begin(), allowed.end(), value) == allowed.end())
        node.refuse(fmt::format("\"{}\" is not one of {}", value, fmt::join(allowed, ", ")));
    return value;
}

void check_format(const json_node& root, const nlohmann::json& document) {
    if (!document.is_object() || document.value("format", nlohmann::json()) != format_name)
        throw json_error(fmt::format("is not a freehold result file (its \"format\" is not \"{}\")",
                                     format_name));
    const auto version = root.member("version").integer();
    if (version == 1)
        throw json_error(
            fmt::format("is a result file of version 1, which freehold read up to commit {}; this "
                        "freehold reads version {}: measure again, or use that one",
                        last_commit_that_reads_version_1, version_read_and_written));
    if (version != version_read_and_written)
        throw json_error(
            fmt::format("is a result file of version {}; this freehold reads version {}"
                        ": measure again, or use the freehold that wrote it",
                        version, version_read_and_written));
}

environment environment_from(const json_node& node) {
    environment result;
    for (const auto& each : node.member("facts").elements())
        result.facts.push_back({each.member("name").string(), each.member("value").string()});
    for (const auto& each : node.member("warnings").elements())
        result.warnings.push_back(
            {each.member("problem").string(), each.member("remedy").string()});
    return result;
}

lab_description lab_from(const json_node& node) {
    lab_description lab{node.member("name").string(), node.member("compiler").string(),
                        node.member("flags").string(), node.member("standard_library").string()};
    if (const auto placements = node.find("placements")) lab.placements = placements->integer();
    return lab;
}

measurement measurement_from(const json_node& node) {
    measurement result;
    result.lab = node.member("lab").string();
    result.process = one_of(node.member("process"), {"threaded", "single"});
    result.subject = node.member("subject").string();
    result.test_case = node.member("case").string();
    if (const auto n = node.find("n")) result.n = n->integer();
    result.unit = node.member("unit").string();
    for (const auto& process : node.member("samples").elements()) {
        auto& samples = result.samples.emplace_back();
        for (const auto& sample : process.elements()) samples.push_back(sample.number());
    }
    if (const auto exact = node.find("exact")) result.exact = exact->boolean();
    result.note = optional_string(node, "note");
    return result;
}

suite suite_from(const json_node& node) {
    suite result;
    result.complete = node.member("complete").boolean();
    result.seconds = node.member("seconds").number();
    result.description = suite_description_from(node.member("description"));
    for (const auto& [lab, subjects] : node.member("measured_by").members())
        result.measured_by.emplace(lab, subjects.integer());
    for (const auto& each : node.member("measurements").elements())
        result.measurements.push_back(measurement_from(each));
    for (const auto& each : node.member("skipped").elements())
        result.skipped.push_back({each.member("lab").string(), each.member("subject").string(),
                                  each.member("case").string(), each.member("reason").string()});
    result.counts = sample_counts_from(node);
    return result;
}

ordered_json json_of(const environment& value) {
    auto facts = ordered_json::array();
    for (const auto& each : value.facts)
        facts.push_back({{"name", each.name}, {"value", each.value}});
    auto warnings = ordered_json::array();
    for (const auto& each : value.warnings)
        warnings.push_back({{"problem", each.problem}, {"remedy", each.remedy}});
    return {{"facts", std::move(facts)}, {"warnings", std::move(warnings)}};
}

ordered_json json_of(const lab_description& value) {
    return {{"name", value.name},
            {"compiler", value.compiler},
            {"flags", value.flags},
            {"standard_library", value.standard_library},
            {"placements", value.placements}};
}

ordered_json json_of(const subject& value) {
    ordered_json result = {{"key", value.key},
                           {"name", value.name},
                           {"family", value.family},
                           {"folded", value.folded},
                           {"single", value.single}};
    if (value.version) result["version"] = *value.version;
    if (value.origin) result["origin"] = *value.origin;
    if (value.missing) result["missing"] = *value.missing;
    return result;
}

ordered_json json_of(const measurement& value) {
    ordered_json result = {{"lab", value.lab},
                           {"process", value.process},
                           {"subject", value.subject},
                           {"case", value.test_case}};
    if (value.n) result["n"] = *value.n;
    result["unit"] = value.unit;
    result["samples"] = value.samples;
    if (value.exact) result["exact"] = true;
    if (value.note) result["note"] = *value.note;
    return result;
}

ordered_json json_of(const suite& value) {
    auto measurements = ordered_json::array();
    for (const auto& each : value.measurements) measurements.push_back(json_of(each));
    auto skipped = ordered_json::array();
    for (const auto& each : value.skipped)
        skipped.push_back({{"lab", each.lab},
                           {"subject", each.subject},
                           {"case", each.test_case},
                           {"reason", each.reason}});
    return {{"complete", value.complete},
            {"seconds", value.seconds},
            {"repeated", value.counts.repeated},
            {"disturbed", value.counts.disturbed},
            {"measured_by", value.measured_by},
            {"description", ordered_json::parse(value.description.text)},
            {"measurements", std::move(measurements)},
            {"skipped", std::move(skipped)}};
}

void validate_samples(const measurement& value, const std::string& where) {
    const auto& all = value.samples;
    if (all.empty()) throw json_error(where + ".samples: is empty");
    for (const auto& process : all) {
        if (process.empty()) throw json_error(where + ".samples: has an empty array");
        if (!std::all_of(process.begin(), process.end(), [](double s) { return std::isfinite(s); }))
            throw json_error(where + ".samples: has a value that is not a finite number");
    }
    if (value.exact && (all.size() != 1 || all.front().size() != 1))
        throw json_error(where + ".samples: an exact figure has one sample");
}

}  // namespace

const subject* result_file::find_subject(const std::string& key) const {
    const auto found = std::find_if(subjects.begin(), subjects.end(),
                                    [&](const subject& each) { return each.key == key; });
    return found == subjects.end() ? nullptr : &*found;
}

subject_family family_from(const json_node& node) {
    return {node.member("key").string(), node.member("name").string()};
}

sample_counts sample_counts_from(const json_node& node) {
    const auto count = [&](const char* name) {
        const auto found = node.find(name);
        return found ? found->integer() : 0;
    };
    return {count("repeated"), count("disturbed")};
}

subject subject_from(const json_node& node) {
    return {node.member("key").string(),     node.member("name").string(),
            node.member("family").string(),  node.member("folded").boolean(),
            node.member("single").boolean(), optional_string(node, "version"),
            optional_string(node, "origin"), optional_string(node, "missing")};
}

void validate(const result_file& results) {
    std::set<std::string> labs;
    for (const auto& lab : results.labs) {
        if (!labs.insert(lab.name).second)
            throw json_error(fmt::format("labs: \"{}\" occurs twice", lab.name));
        if (lab.placements < 1)
            throw json_error(fmt::format("labs: \"{}\" has no placement", lab.name));
    }

    std::set<std::string> families;
    for (const auto& each : results.families) families.insert(each.key);
    std::set<std::string> subjects;
    for (std::size_t i = 0; i < results.subjects.size(); ++i) {
        const auto& each = results.subjects[i];
        if (!subjects.insert(each.key).second)
            throw json_error(fmt::format("subjects[{}]: \"{}\" occurs twice", i, each.key));
        if (!families.contains(each.family))
            throw json_error(fmt::format("subjects[{}].family: \"{}\" is not one of `families`", i,
                                         each.family));
    }

    for (const auto& [name, suite] : results.suites) {
        using key = std::tuple<std::string, std::string, std::string, std::string,
                               std::optional<std::int64_t>>;
        std::set<key> keys;
        for (std::size_t i = 0; i < suite.measurements.size(); ++i) {
            const measurement& each = suite.measurements[i];
            const auto where = fmt::format("suites.{}.measurements[{}]", name, i);
            if (!labs.contains(each.lab))
                throw json_error(
                    fmt::format("{}.lab: \"{}\" is not one of `labs`", where, each.lab));
            if (!subjects.contains(each.subject))
                throw json_error(fmt::format("{}.subject: \"{}\" is not one of `subjects`", where,
                                             each.subject));
            if (suite.description.find_case(each.test_case) == nullptr)
                throw json_error(fmt::format("{}.case: \"{}\" is not a case of the suite", where,
                                             each.test_case));
            if (!keys.emplace(each.lab, each.process, each.subject, each.test_case, each.n).second)
                throw json_error(where +
                                 ": the same lab, process, subject, case and n occur twice");
            validate_samples(each, where);
        }
    }
}

result_file results_from_json(const nlohmann::json& document) {
    const json_node root(document);
    check_format(root, document);

    result_file results;
    results.created = root.member("created").string();
    results.mode = one_of(root.member("mode"), {"quick", "default", "full"});
    results.filter = optional_string(root, "filter");
    const auto library = root.member("library");
    results.library = {library.member("version").string(), optional_string(library, "commit")};
    results.environment = environment_from(root.member("environment"));
    for (const auto& lab : root.member("labs").elements()) results.labs.push_back(lab_from(lab));
    for (const auto& each : root.member("families").elements())
        results.families.push_back(family_from(each));
    for (const auto& each : root.member("subjects").elements())
        results.subjects.push_back(subject_from(each));
    for (const auto& [name, node] : root.member("suites").members())
        results.suites.emplace(name, suite_from(node));
    validate(results);
    return results;
}

ordered_json results_to_json(const result_file& results) {
    ordered_json document = {{"format", format_name},
                             {"version", version_read_and_written},
                             {"created", results.created},
                             {"mode", results.mode}};
    if (results.filter) document["filter"] = *results.filter;
    ordered_json library = {{"version", results.library.version}};
    if (results.library.commit) library["commit"] = *results.library.commit;
    document["library"] = std::move(library);
    document["environment"] = json_of(results.environment);
    document["labs"] = ordered_json::array();
    for (const auto& lab : results.labs) document["labs"].push_back(json_of(lab));
    document["families"] = ordered_json::array();
    for (const auto& each : results.families)
        document["families"].push_back({{"key", each.key}, {"name", each.name}});
    document["subjects"] = ordered_json::array();
    for (const auto& each : results.subjects) document["subjects"].push_back(json_of(each));
    document["suites"] = ordered_json::object();
    for (const auto& [name, suite] : results.suites) document["suites"][name] = json_of(suite);
    return document;
}

}  // namespace freehold
