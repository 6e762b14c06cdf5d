// SPDX-License-Identifier: BSL-1.0
// The base of an external process in C++. The process lists its subjects and cells, and `host`
// implements the protocol of lab/README.md. It needs only the standard library, whichever it is. A
// process that is compiled without optimisation has its own objects first in its link line: if two
// object files have the same inline function, the linker takes the first.
#pragma once

#include "runner/subject.hpp"
#include "suites/common/process_kind.hpp"
#include "suites/common/state.hpp"
#include "suites/common/timing.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace lab {

struct hosted_cell {
    const char* suite;
    std::string subject;  ///< the subject's key
    std::string case_key;
    /// Converts seconds for each iteration to the figure.
    double scale;
    /// Returns the seconds that this number of iterations takes.
    std::function<double(std::int64_t iterations)> measure;
    /// The size, if the case has several.
    std::optional<std::int64_t> n = {};
};

/// A cell that yields several figures at once.
struct hosted_joint_cell {
    const char* suite;
    std::string subject;
    std::vector<std::string> cases;
    /// Returns one value for each of them, in that order.
    std::function<std::vector<double>(std::int64_t iterations)> measure;
};

struct hosted_process {
    std::vector<subject> subjects;
    std::vector<hosted_cell> cells;
    /// Their numbers follow those of all other cells.
    std::vector<hosted_joint_cell> joint_cells = {};
};

/// Returns a function that measures a kernel of the suites with a number of iterations.
inline std::function<double(std::int64_t)> seconds_of(std::function<void(kernel_state&)> run) {
    return [run = std::move(run)](std::int64_t iterations) {
        kernel_state state(iterations);
        run(state);
        return state.seconds();
    };
}

/// Measures from its construction on. It measures the processor time of this thread, which excludes
/// the time of other programs. A time of less than five microseconds, as of a loop that the
/// compiler has removed, counts as five: it is the clock's own.
class stopwatch {
public:
    stopwatch() : clock_(processor_clock::of::thread), begin_(clock_.seconds()) {}
    double seconds() const { return std::max(clock_.seconds() - begin_, 5e-6); }

private:
    processor_clock clock_;
    double begin_;
};

/// Finds the cells after the process has started. `words` are its arguments before `--process`.
using start_hosted = hosted_process (*)(process_kind kind, const std::vector<std::string>& words);

/// Does all work of `main`. `flags` are the compiler's flags for the process. It calls `start`
/// once, when the process has the state of its kind.
int host(int argc, char** argv, const char* flags, start_hosted start) noexcept;

}  // namespace lab
