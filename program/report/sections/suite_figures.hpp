// SPDX-License-Identifier: BSL-1.0
// The measurements of one suite, found by setting, subject and case.
#pragma once

#include "report/model.hpp"
#include "report/sections/figures.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace freehold {

/// One lab of one result file.
struct setting {
    std::string label;  // the compiler, and the file if there are several
    std::string lab;
    const labelled_results* source = nullptr;
    std::size_t placements = 1;  // of the lab
};

[[nodiscard]] std::vector<setting> settings_of(const std::vector<labelled_results>& files);

/// A subject in one kind of process. It is a row of a table.
struct subject_row {
    std::string key;
    std::string process = "threaded";
    std::string head = {};
    std::string family = {};  // a key
    bool folded = false;
};

class suite_figures {
public:
    /// Refers to the result files of `all`, which must outlive it. Complexity: linear in the
    /// measurements of the suite.
    suite_figures(const std::vector<setting>& all, std::string suite);

    [[nodiscard]] const std::string& name() const { return name_; }
    /// The settings that measured the suite.
    [[nodiscard]] const std::vector<setting>& settings() const { return settings_; }
    /// The subjects that any setting measured, in the order of the result files. A subject has a
    /// second row, "(one thread)", if it was also timed before a second thread was started and the
    /// figures differ.
    [[nodiscard]] const std::vector<subject_row>& rows() const { return rows_; }
    /// Null if no file describes the suite.
    [[nodiscard]] const suite_description* description() const { return description_; }

    /// Every size of the case. Empty if there is none; a case without sizes has the size 0.
    [[nodiscard]] const std::map<std::int64_t, estimate>& sizes(const setting& where,
                                                                const subject_row& row,
                                                                const std::string& test_case) const;
    /// The figure for this size, or for the smallest size if none is given.
    [[nodiscard]] std::optional<estimate> find(const setting& where, const subject_row& row,
                                               const std::string& test_case,
                                               std::optional<std::int64_t> n = {}) const;
    /// The figure of the subject `key`, with which others of the row's process are compared. It
    /// comes from the same kind of process if it was measured there.
    [[nodiscard]] std::optional<estimate> find_reference(const setting& where,
                                                         const subject_row& row,
                                                         const std::string& key,
                                                         const std::string& test_case,
                                                         std::optional<std::int64_t> n = {}) const;
    /// The figure divided by the reference's; 1 for the reference itself.
    [[nodiscard]] std::optional<estimate> times(const setting& where, const subject_row& row,
                                                const std::string& test_case,
                                                const std::string& reference,
                                                std::optional<std::int64_t> n = {}) const;
    /// The note of the figure; empty if there is none.
    [[nodiscard]] std::string note(const setting& where, const subject_row& row,
                                   const std::string& test_case,
                                   std::optional<std::int64_t> n = {}) const;
    /// Whether the figure depends on where the lab's code lies.
    [[nodiscard]] bool depends_on_placement(const setting& where, const subject_row& row,
                                            const std::string& test_case,
                                            std::optional<std::int64_t> n = {}) const;
    /// All sizes that any subject has, in rising order.
    [[nodiscard]] std::vector<std::int64_t> all_sizes(const std::string& test_case) const;

    /// Adds a figure that was computed from measured ones.
    void derive(const setting& where, const subject_row& row, const std::string& test_case,
                const estimate& figure);

private:
    using key = std::tuple<std::string, std::string, std::string, std::string>;

    [[nodiscard]] static key key_of(const setting& where, const subject_row& row,
                                    const std::string& test_case) {
        return {where.label, row.process, row.key, test_case};
    }

    std::string name_;
    const suite_description* description_ = nullptr;
    std::vector<setting> settings_;
    std::vector<subject_row> rows_;
    std::map<key, std::map<std::int64_t, estimate>> figures_;
    std::map<key, std::map<std::int64_t, std::string>> notes_;
    std::set<std::pair<key, std::int64_t>> placed_;  // those that depend on the placement
};

/// Null if the file has no such suite.
[[nodiscard]] const suite* find_suite(const setting& where, const std::string& name);

/// What a reader must know about the measurement of the suite: files in which it was interrupted or
/// is missing, cells that were skipped and why, samples that are far from the rest.
[[nodiscard]] std::vector<std::string> measuring_notes(const std::vector<setting>& all,
                                                       const std::string& suite_name);

}  // namespace freehold
