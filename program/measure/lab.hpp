// SPDX-License-Identifier: BSL-1.0
// A lab executable, and its description of itself.
#pragma once

#include "measure/interrupts.hpp"
#include "results/result_file.hpp"

#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

namespace freehold {

class lab_error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

struct lab {
    /// The executable that was named, and others of the same object files whose functions lie in
    /// other places. Some loops take several times as long at one place as at another.
    std::vector<std::filesystem::path> placements;
    lab_description description;
    library_version library;
    std::vector<subject_family> families;
    std::vector<subject> subjects;
    std::vector<suite_description> suites;

    [[nodiscard]] const suite_description* find(const std::string& suite) const;
    /// The number of subjects that the lab can measure.
    [[nodiscard]] std::int64_t subjects_present() const;
};

/// The name is that of the executable's folder: `g++`, `clang++`. The placements are in the same
/// folder, and are called after the executable, with `-placed-2` and so on.
[[nodiscard]] lab describe_lab(const std::filesystem::path& executable,
                               const interrupts& interrupts);

/// Describes each executable. Throws lab_error if two have the same name, or measure different
/// libraries.
[[nodiscard]] std::vector<lab> describe_labs(const std::vector<std::filesystem::path>& executables,
                                             const interrupts& interrupts);

/// The names of all suites. Their order is that of the first lab that has them.
[[nodiscard]] std::vector<std::string> suites_of(const std::vector<lab>& labs);

}  // namespace freehold
