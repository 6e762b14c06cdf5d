// SPDX-License-Identifier: BSL-1.0
// What an external process written in C++ is made of: it lists its subjects and cells, and `host`
// speaks the protocol of lab/README.md for it. It needs nothing but the standard library, whichever
// that is. A process that is compiled without optimisation has its own objects first in its link
// line: an inline function that is in two object files is linked once, as the first of them has it.
#pragma once

#include "runner/subject.hpp"
#include "suites/common/process_kind.hpp"
#include "suites/common/state.hpp"
#include "suites/common/timing.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace lab {

struct hosted_cell {
    const char* suite;
    std::string subject;  ///< its key
    std::string case_key;
    /// From seconds for each iteration to the figure.
    double scale;
    /// The seconds that so many iterations take.
    std::function<double(std::int64_t iterations)> measure;
    /// The size, where the case has several.
    std::optional<std::int64_t> n = {};
};

/// One that yields several figures at once.
struct hosted_joint_cell {
    const char* suite;
    std::string subject;
    std::vector<std::string> cases;
    /// As many values, in that order.
    std::function<std::vector<double>(std::int64_t iterations)> measure;
};

struct hosted_process {
    std::vector<subject> subjects;
    std::vector<hosted_cell> cells;
    /// They are numbered after all others.
    std::vector<hosted_joint_cell> joint_cells = {};
};

/// Measures what a kernel of the suites does in so many iterations.
inline std::function<double(std::int64_t)> seconds_of(std::function<void(kernel_state&)> run) {
    return [run = std::move(run)](std::int64_t iterations) {
        kernel_state state(iterations);
        run(state);
        return state.seconds();
    };
}

/// Starts with its construction: processor time of this thread, so that another program's turn is
/// not counted.
class stopwatch {
public:
    stopwatch() : clock_(processor_clock::of::thread), begin_(clock_.seconds()) {}
    double seconds() const { return clock_.seconds() - begin_; }

private:
    processor_clock clock_;
    double begin_;
};

/// What is found out when the process has started; `words` are its arguments before `--process`.
using start_hosted = hosted_process (*)(process_kind kind, const std::vector<std::string>& words);

/// The whole of `main`. `flags` says what the process is compiled with. `start` is called once,
/// when the process is of its kind.
int host(int argc, char** argv, const char* flags, start_hosted start) noexcept;

}  // namespace lab
