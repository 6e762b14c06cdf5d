// SPDX-License-Identifier: BSL-1.0
// A result file that uses every member that docs/results.md specifies.
#pragma once

#include "results/result_file.hpp"

#include <string>

#include <nlohmann/json.hpp>

namespace freehold {

/// A suite with one case.
inline suite_description example_suite(const std::string& key, const std::string& test_case) {
    const nlohmann::json schedule{{"rounds", 2},        {"repetitions", 1},
                                  {"min_time", 0.001},  {"typical_seconds", 1},
                                  {"limit_seconds", 2}, {"data_mebibytes", 8}};
    const nlohmann::json document{
        {"key", key},
        {"title", "Title"},
        {"order", 3},
        {"first", true},
        {"processes", {"threaded"}},
        {"schedule", {{"quick", schedule}, {"default", schedule}, {"full", schedule}}},
        {"lower_bounds", {"raw"}},
        {"needs", "nothing"},
        {"cases",
         {{{"key", test_case}, {"label", "a label"}, {"unit", "ns"}, {"parameter", "copies"}}}}};
    return suite_description_from(json_node(document));
}

inline result_file example_results() {
    result_file results;
    results.created = "2026-01-02T03:04:05Z";
    results.mode = "quick";
    results.filter = "shared|\"quoted\" \xc3\xa9";
    results.library = {"0.1.0", "0123456789ab"};
    results.environment.facts = {{"processor", "An Example"}, {"cores", "2"}};
    results.environment.warnings = {{"turbo is on", "switch it off"}};
    results.labs = {{"g++", "g++ 12.2.0", "-O3", "libstdc++ 12", 3},
                    {"clang++", "clang++ 14.0.6", "-O3", "libstdc++ 12"}};
    results.families = {{"lower_bound", "Lower bounds"}, {"other", "Others"}};
    results.subjects = {
        {"raw", "raw", "lower_bound", false, true, std::nullopt, std::nullopt, std::nullopt},
        {"boost.shared_ptr", "boost::shared_ptr", "other", true, false, "1.74.0", "Boost",
         std::nullopt},
        {"loki_linked", "Loki linked", "other", true, false, std::nullopt, "Loki",
         "install libloki-dev"}};

    suite& operations = results.suites["operations"];
    operations.complete = true;
    operations.seconds = 1.5;
    operations.description = example_suite("operations", "hold");
    operations.measured_by = {{"g++", 2}, {"clang++", 1}};
    operations.counts = {7, 2};
    for (const char* lab : {"g++", "clang++"}) {
        measurement cell;
        cell.lab = lab;
        cell.process = "threaded";
        cell.subject = "raw";
        cell.test_case = "hold";
        cell.n = 8;
        cell.unit = "ns";
        cell.samples = {{1.25, 0.1, 1e-300}, {3, 1.7976931348623157e308}};
        operations.measurements.push_back(cell);
    }
    operations.skipped = {{"g++", "loki_linked", "hold", "Loki is not installed"}};

    measurement exact;
    exact.lab = "g++";
    exact.process = "threaded";
    exact.subject = "raw";
    exact.test_case = "acquire.instructions";
    exact.unit = "instructions";
    exact.samples = {{7}};
    exact.exact = true;
    exact.note = "I";
    results.suites["footprint"].description = example_suite("footprint", "acquire.instructions");
    results.suites["footprint"].measurements = {exact};
    return results;
}

}  // namespace freehold
