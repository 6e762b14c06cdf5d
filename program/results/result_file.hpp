// SPDX-License-Identifier: BSL-1.0
// The result file in memory: plain structs with the members that docs/results.md specifies, and the
// two functions that read and write it. What load_results returns is valid: every samples array
// holds numbers, every measurement names a lab of `labs`, and no key occurs twice.
#pragma once

#include "results/suite_description.hpp"

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

/// Subjects that belong together. Tables show a heading for them, and plots a colour.
struct subject_family {
    std::string key;
    std::string name;
    bool operator==(const subject_family&) const = default;
};

/// One thing that is measured. Other parts of the file refer to it by its key.
struct subject {
    std::string key;
    std::string name;     // the display name
    std::string family;   // the key of a subject_family
    bool folded = false;  // shown on demand if a screen has no space for all subjects
    bool single = false;  // also shown as measured before a second thread was started
    std::optional<std::string> version;  // the version of its library
    std::optional<std::string> origin;   // the source, such as "Boost"
    std::optional<std::string> missing;  // why it cannot be measured here, and the remedy
    bool operator==(const subject&) const = default;
};

struct lab_description {
    std::string name;
    std::string compiler;
    std::string flags;
    std::string standard_library;
    /// The rounds of a suite run so many placements of the lab in turn.
    std::int64_t placements = 1;
    bool operator==(const lab_description&) const = default;
};

struct measurement {
    std::string lab;
    std::string process;    // "threaded" or "single"
    std::string subject;    // a key
    std::string test_case;  // a key of the suite's cases
    std::optional<std::int64_t> n;
    std::string unit;
    std::vector<std::vector<double>>
        samples;         // one inner array for each process, none of them empty
    bool exact = false;  // if true, samples is one array of one number
    std::optional<std::string> note;
    bool operator==(const measurement&) const = default;
};

struct skipped {
    std::string lab;
    std::string subject;
    std::string test_case;
    std::string reason;
    bool operator==(const skipped&) const = default;
};

/// How often another thread used a core on which the lab measured.
struct sample_counts {
    std::int64_t repeated = 0;   // samples that were taken again, on quiet cores
    std::int64_t disturbed = 0;  // samples that were kept all the same
    bool operator==(const sample_counts&) const = default;
    sample_counts& operator+=(const sample_counts& other) {
        repeated += other.repeated;
        disturbed += other.disturbed;
        return *this;
    }
};

struct suite {
    bool complete = false;
    double seconds = 0;
    suite_description description;
    /// Each lab that measured the suite, with the number of subjects that it had.
    std::map<std::string, std::int64_t> measured_by;
    std::vector<measurement> measurements;
    std::vector<freehold::skipped> skipped;
    sample_counts counts;
    bool operator==(const suite&) const = default;
};

struct result_file {
    std::string created;  // UTC, ISO 8601
    std::string mode;     // "quick", "default" or "full"
    std::optional<std::string> filter;
    library_version library;
    freehold::environment environment;
    std::vector<lab_description> labs;
    std::vector<subject_family> families;  // in the order in which they are shown
    std::vector<subject> subjects;         // in the order in which they are shown
    std::map<std::string, suite> suites;
    bool operator==(const result_file&) const = default;

    /// Null if no subject has this key.
    [[nodiscard]] const subject* find_subject(const std::string& key) const;
};

/// what() is one line that names the file and says what is wrong with it.
class result_error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Throws result_error if the file cannot be read, is not a result file, or has another version.
[[nodiscard]] result_file load_results(const std::filesystem::path& path);

/// Replaces `path` completely. If it throws result_error, the old file is unchanged.
void save_results(const result_file& results, const std::filesystem::path& path);

}  // namespace freehold
