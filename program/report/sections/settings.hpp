// SPDX-License-Identifier: BSL-1.0
// What the sections ask of the result files: which settings there are (a compiler of a file), which
// competitors, and one figure of one of them. Refers to the files; keep them alive.
#pragma once

#include "report/model.hpp"
#include "report/sections/figures.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace freehold {

struct setting {
    std::string label;  // the compiler, and the file where there are several
    std::string lab;
    const labelled_results* source = nullptr;
};

/// A row of a table: a competitor in one kind of process. The standard's are shown in both, because
/// libstdc++ counts plainly until a second thread was started; the second row says so.
struct contender {
    std::string name;
    std::string process;
    std::string head;

    [[nodiscard]] bool is_reference() const { return name == "raw"; }
    /// Whether a copy is another owner, as the cheapest copy is asked for.
    [[nodiscard]] bool shares() const;
};

[[nodiscard]] std::vector<setting> settings_of(const std::vector<labelled_results>& files);

/// Null where the file has no such suite.
[[nodiscard]] const suite* find_suite(const setting& where, const std::string& name);

/// The settings whose file has the suite.
[[nodiscard]] std::vector<setting> settings_with(const std::vector<setting>& all,
                                                 const std::string& suite_name);

/// All that any of the settings measured, in the order of lab/README.md.
[[nodiscard]] std::vector<contender> contenders_of(const std::vector<setting>& settings,
                                                   const std::string& suite_name);

[[nodiscard]] const measurement* find_measurement(const setting& where,
                                                  const std::string& suite_name,
                                                  const contender& who, const std::string& test);

/// Every size of a test, by rising n.
[[nodiscard]] std::vector<const measurement*> find_sizes(const setting& where,
                                                         const std::string& suite_name,
                                                         const contender& who,
                                                         const std::string& test);

[[nodiscard]] estimate estimate_of(const measurement& cell);

/// What a reader must know of how the suite was measured: interrupted or missing in a file, cells
/// that were skipped and why, samples far from the rest.
[[nodiscard]] std::vector<std::string> measuring_notes(const std::vector<setting>& all,
                                                       const std::string& suite_name);

}  // namespace freehold
