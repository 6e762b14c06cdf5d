// SPDX-License-Identifier: BSL-1.0
// The result file in memory: plain structs, member for member what docs/results.md specifies, and
// the two functions that read and write it. What load_results returns is valid: every samples array
// holds numbers, every measurement names a lab of `labs`, and no key occurs twice.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace freehold {

struct fact {
    std::string name;
    std::string value;
    bool operator==(const fact&) const = default;
};

struct warning {
    std::string problem;
    std::string remedy;
    bool operator==(const warning&) const = default;
};

struct environment {
    std::vector<fact> facts;
    std::vector<warning> warnings;
    bool operator==(const environment&) const = default;
};

struct library_version {
    std::string version;
    std::optional<std::string> commit;
    bool operator==(const library_version&) const = default;
};

struct peer {
    std::string name;
    std::string version;
    bool operator==(const peer&) const = default;
};

struct lab_description {
    std::string name;
    std::string compiler;
    std::string flags;
    std::string standard_library;
    std::vector<peer> peers;
    bool operator==(const lab_description&) const = default;
};

struct measurement {
    std::string lab;
    std::string process;  // "threaded" or "single"
    std::string competitor;
    std::string test;
    std::optional<std::int64_t> n;
    std::string unit;
    std::vector<std::vector<double>>
        samples;         // one inner array for each process, none of them empty
    bool exact = false;  // then samples is one array of one number
    std::optional<std::string> note;
    bool operator==(const measurement&) const = default;
};

struct skipped {
    std::string lab;
    std::string competitor;
    std::string test;
    std::string reason;
    bool operator==(const skipped&) const = default;
};

struct suite {
    bool complete = false;
    double seconds = 0;
    std::vector<measurement> measurements;
    std::vector<freehold::skipped> skipped;
    bool operator==(const suite&) const = default;
};

struct result_file {
    std::string created;  // UTC, ISO 8601
    std::string mode;     // "quick", "default" or "full"
    std::optional<std::string> filter;
    library_version library;
    freehold::environment environment;
    std::vector<lab_description> labs;
    std::map<std::string, suite> suites;
    bool operator==(const result_file&) const = default;
};

/// what() is one line that names the file and says what is wrong with it.
class result_error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Throws result_error if the file cannot be read, is not a result file, or is one of another
/// version.
[[nodiscard]] result_file load_results(const std::filesystem::path& path);

/// Replaces `path` whole or, when it throws result_error, leaves what was there as it was.
void save_results(const result_file& results, const std::filesystem::path& path);

}  // namespace freehold
