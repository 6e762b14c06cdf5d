// SPDX-License-Identifier: BSL-1.0
// Some kernels cannot be part of the lab's own executable: they need another standard library, no
// optimisation, another language, or another malloc. They run in processes of their own. The lab
// starts these and controls them through their standard input and output. So their cells are
// interleaved with all others. lab/README.md specifies the protocol.
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

/// A cell that yields the figures of several cases at once.
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
    /// Their numbers follow those of the other cells.
    std::vector<external_joint_cell> joint_cells;

    /// Returns why a subject's cells cannot be measured here, or an empty string. Throws
    /// std::runtime_error if `subjects` does not contain the subject.
    [[nodiscard]] const std::string& why_missing(const std::string& subject) const;
};

/// How long the lab waits for a process.
struct process_patience {
    std::chrono::milliseconds to_describe_itself = std::chrono::seconds(10);
    std::chrono::milliseconds to_measure = std::chrono::minutes(10);
    std::chrono::milliseconds to_end = std::chrono::seconds(5);
};

/// A process that runs from the constructor to the destructor. A process_error ends it, and every
/// further call throws the same error.
class external_process {
public:
    /// Starts the process and reads its description. Throws process_error.
    external_process(const std::filesystem::path& executable, process_kind kind,
                     process_patience patience = {});

    [[nodiscard]] const process_description& description() const { return description_; }

    /// Returns the seconds that `iterations` iterations of a cell take. Throws process_error.
    double measure(std::size_t cell, std::int64_t iterations);

    /// Returns the figures that `iterations` iterations of a joint cell yield. Throws
    /// process_error.
    std::vector<double> measure_jointly(std::size_t joint_cell, std::int64_t iterations);

    /// Returns the message of the process_error, or an empty string if there was none.
    [[nodiscard]] const std::string& failure() const { return failure_; }

private:
    /// Returns the numbers in the line of the answer. Throws process_error if there are not `count`
    /// numbers, if one is below zero, or if one is zero and `positive` is set.
    std::vector<double> ask(std::size_t cell, std::int64_t iterations, std::size_t count,
                            bool positive, const std::string& wanted);

    process_patience patience_;
    child_process process_;
    process_description description_;
    std::string failure_;
};

}  // namespace lab
