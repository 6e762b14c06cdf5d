// SPDX-License-Identifier: BSL-1.0
// The suites' descriptions, lab/suites/*/suite.json, which the lab's executable contains.
#pragma once

#include "runner/plan.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace lab {

struct described_case {
    std::string key;
    std::string unit;
    bool has_size;                    ///< its figures have an `n`
    std::vector<std::int64_t> sizes;  ///< all sizes, if the description lists them
};

class described_suite {
public:
    /// Throws std::runtime_error if the text describes no suite.
    explicit described_suite(std::string_view text);

    [[nodiscard]] const std::string& key() const { return key_; }
    [[nodiscard]] const nlohmann::ordered_json& json() const { return json_; }
    [[nodiscard]] bool is_measured_in(process_kind kind) const;
    [[nodiscard]] bool has_lower_bound(std::string_view subject) const;

    /// Throws std::runtime_error if there is no such case.
    [[nodiscard]] const described_case& find(const std::string& case_key) const;

    /// Throws std::runtime_error that names the figure if a figure or skipped cell of the plan is
    /// wrong. Its case must be described, its size must be one of the case's sizes, and its subject
    /// must be one of `subjects`.
    void check(const plan& cells, const std::vector<subject>& subjects) const;

private:
    nlohmann::ordered_json json_;
    std::string key_;
    std::vector<described_case> cases_;
};

/// Returns the suites that have kernels in this executable, in the order in which they are shown.
const std::vector<described_suite>& described_suites();

/// Throws std::runtime_error that says what to do if this executable does not have the suite.
const described_suite& find_suite(std::string_view key);

}  // namespace lab
