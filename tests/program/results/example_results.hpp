// SPDX-License-Identifier: BSL-1.0
// A result file that uses every member that docs/results.md specifies.
#pragma once

#include "results/result_file.hpp"

namespace freehold {

inline result_file example_results() {
    result_file results;
    results.created = "2026-01-02T03:04:05Z";
    results.mode = "quick";
    results.filter = "shared|\"quoted\" \xc3\xa9";
    results.library = {"0.1.0", "0123456789ab"};
    results.environment.facts = {{"processor", "An Example"}, {"cores", "2"}};
    results.environment.warnings = {{"turbo is on", "switch it off"}};
    results.labs = {{"g++", "g++ 12.2.0", "-O3", "libstdc++ 12", {{"Boost", "1.74.0"}}},
                    {"clang++", "clang++ 14.0.6", "-O3", "libstdc++ 12", {}}};

    suite& operations = results.suites["operations"];
    operations.complete = true;
    operations.seconds = 1.5;
    for (const char* lab : {"g++", "clang++"}) {
        measurement cell;
        cell.lab = lab;
        cell.process = "threaded";
        cell.competitor = "raw";
        cell.test = "hold";
        cell.n = 8;
        cell.unit = "ns";
        cell.samples = {{1.25, 0.1, 1e-300}, {3, 1.7976931348623157e308}};
        operations.measurements.push_back(cell);
    }
    operations.skipped = {{"g++", "Loki linked", "hold", "Loki is not installed"}};

    measurement exact;
    exact.lab = "g++";
    exact.process = "threaded";
    exact.competitor = "raw";
    exact.test = "ptr() instructions";
    exact.unit = "instructions";
    exact.samples = {{7}};
    exact.exact = true;
    exact.note = "I";
    results.suites["footprint"].measurements = {exact};
    return results;
}

}  // namespace freehold
