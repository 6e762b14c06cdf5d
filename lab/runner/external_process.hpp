// SPDX-License-Identifier: BSL-1.0
// Some kernels cannot live in the lab's own executable: another standard library, no optimisation,
// another language, another malloc. They live in processes of their own, which the lab starts and
// drives over their standard input and output, so that their cells are interleaved with all others.
// lab/README.md specifies what they say to each other.
#pragma once

#include "runner/child_process.hpp"
#include "runner/subject.hpp"
#include "suites/common/process_kind.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace lab {

struct external_cell {
    std::string suite;
    std::string subject;
    std::string case_key;
    std::optional<std::int64_t> n;
    double scale;
    bool once;
};

/// One that yields the figures of several cases at once.
struct external_joint_cell {
    std::string suite;
    std::string subject;
    std::vector<std::string> cases;
};

struct process_description {
    std::string compiler;
    std::string flags;
    std::string standard_library;
    std::vector<subject> subjects;
    std::vector<external_cell> cells;
    /// They are numbered after the others.
    std::vector<external_joint_cell> joint_cells;

    /// Why a subject's cells cannot be measured here, or empty. Throws std::runtime_error if it is
    /// none of `subjects`.
    [[nodiscard]] const std::string& why_missing(const std::string& subject) const;
};

/// How long a process is waited for.
struct process_patience {
    std::chrono::milliseconds to_describe_itself = std::chrono::seconds(10);
    std::chrono::milliseconds to_measure = std::chrono::minutes(10);
    std::chrono::milliseconds to_end = std::chrono::seconds(5);
};

/// A process, from its start to the end of this object. After a process_error it has ended, and
/// every further call throws the same.
class external_process {
public:
    /// Starts it and reads its description. Throws process_error.
    external_process(const std::filesystem::path& executable, process_kind kind,
                     process_patience patience = {});

    [[nodiscard]] const process_description& description() const { return description_; }

    /// The seconds that so many iterations of a cell take. Throws process_error.
    double measure(std::size_t cell, std::int64_t iterations);

    /// The figures that so many iterations of a joint cell yield. Throws process_error.
    std::vector<double> measure_jointly(std::size_t joint_cell, std::int64_t iterations);

    /// What its process_error said, once there was one; otherwise empty.
    [[nodiscard]] const std::string& failure() const { return failure_; }

private:
    /// The numbers in the line that is answered. Throws process_error if they are not `count`, or
    /// if one is below zero, or is not above zero where `positive`.
    std::vector<double> ask(std::size_t cell, std::int64_t iterations, std::size_t count,
                            bool positive, const std::string& wanted);

    process_patience patience_;
    child_process process_;
    process_description description_;
    std::string failure_;
};

}  // namespace lab
