// SPDX-License-Identifier: BSL-1.0
// A plan of cells: what a suite gives the runner. Each cell yields one or several figures.
#pragma once

#include "runner/subject.hpp"
#include "suites/common/process_kind.hpp"
#include "suites/common/state.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lab {

/// Identifies a figure by keys. The unit is that of the case in suite.json.
struct figure {
    std::string subject;
    std::string case_key;
    std::optional<std::int64_t> n = {};
    std::string note = {};
};

/// The keys and the size, separated by tabs. It identifies a figure among those of a suite.
std::string text_of(const figure& what);

struct timed_cell {
    figure what;
    /// Returns what this number of iterations took.
    std::function<measured_time(std::int64_t iterations)> measure;
    /// The figure is the seconds for one iteration, multiplied by this.
    double scale = 1;
    /// True if one iteration is a whole measurement. Otherwise, iterations fill the minimum time.
    bool once = false;
    /// False if it is known well enough already, and is not measured again.
    bool wanted = true;
    /// Optional. Returns why the cell cannot be measured any more, or an empty string.
    std::function<std::string()> why_broken_off = {};
};

/// A joint cell throws this if it cannot be measured any more. what() is one line that says why.
struct cell_broken_off : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// One run that yields several figures at once, each of which may be zero.
struct joint_cell {
    std::vector<figure> what;
    /// Returns the values in the same order. Throws cell_broken_off.
    std::function<std::vector<double>()> measure;
};

struct exact_cell {
    figure what;
    double value;
};

struct skipped_cell {
    std::string subject;
    std::string case_key;
    std::string reason;
};

struct plan {
    std::vector<timed_cell> timed;
    std::vector<joint_cell> joint;
    std::vector<exact_cell> exact;
    std::vector<skipped_cell> skipped;
};

/// The options of `freehold-lab run`.
struct selection {
    process_kind process;
    /// Whether the filter chooses a subject, or the subject is a lower bound of the suite.
    std::function<bool(std::string_view key, std::string_view name)> passes;
    /// The size of the objects that a suite reads: `--data`.
    std::uint64_t data_bytes = std::uint64_t{256} << 20;

    [[nodiscard]] bool wants(const identity& is) const {
        if (process == process_kind::single && !is.single) return false;
        return passes(key_of(is.name), is.name);
    }
    [[nodiscard]] bool wants(const subject& of) const {
        if (process == process_kind::single && !of.single) return false;
        return passes(of.key, of.name);
    }
};

/// Reads texts of figures, one in each line, and wants none of these cells. Throws
/// std::runtime_error if the file cannot be read.
void leave_out(plan& from, const std::filesystem::path& known);

/// Skips each case of these figures once, whatever its sizes.
void skip(plan& into, const std::vector<figure>& figures, const std::string& why);

/// Adds a kernel of which the iterations fill the minimum time.
void add_kernel(plan& into, figure what, double scale, std::function<void(kernel_state&)> run);

/// Adds a measurement. Each iteration is a whole measurement in its own child process.
void add_in_a_child(plan& into, figure what, double scale, process_kind kind, double (*seconds)());

}  // namespace lab
