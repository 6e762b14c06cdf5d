// SPDX-License-Identifier: BSL-1.0
// What a suite is to the runner: a plan of cells, each of which yields a figure or several.
#pragma once

#include "runner/child.hpp"
#include "runner/subject.hpp"
#include "suites/common/process_kind.hpp"
#include "suites/common/state.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lab {

/// Which figure it is, by keys. Its unit is that of its case, in the suite's description.
struct figure {
    std::string subject;
    std::string case_key;
    std::optional<std::int64_t> n = {};
    std::string note = {};
};

struct timed_cell {
    figure what;
    /// The seconds that so many iterations take.
    std::function<double(std::int64_t iterations)> measure;
    /// From seconds for each iteration to the figure.
    double scale = 1;
    /// One iteration is a whole measurement; otherwise iterations fill the minimum time.
    bool once = false;
    /// Tells why the cell cannot be measured any more, or nothing; optional.
    std::function<std::string()> why_broken_off = {};
    /// The number of iterations, whatever the minimum time.
    std::optional<std::int64_t> iterations = {};
};

/// What a joint cell throws that cannot be measured any more: one line that says why.
struct cell_broken_off : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// One run that yields several figures at once, each of which may be zero.
struct joint_cell {
    std::vector<figure> what;
    /// As many values, in that order. Throws cell_broken_off.
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

/// What the caller of `run` asks for.
struct selection {
    process_kind process;
    /// Whether the filter lets a subject pass, or it is one of the suite's lower bounds.
    std::function<bool(std::string_view key, std::string_view name)> passes;
    /// Of the objects that a suite reads.
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

/// Adds a kernel that is run as many times as fill the minimum time.
inline void add_kernel(plan& into, figure what, double scale,
                       std::function<void(kernel_state&)> run) {
    into.timed.push_back({std::move(what),
                          [run = std::move(run)](std::int64_t iterations) {
                              kernel_state measured(iterations);
                              run(measured);
                              return measured.seconds();
                          },
                          scale});
}

/// Adds a whole measurement in a child process of its own for each iteration.
inline void add_in_a_child(plan& into, figure what, double scale, process_kind kind,
                           double (*seconds)()) {
    into.timed.push_back({std::move(what),
                          [kind, seconds](std::int64_t iterations) {
                              double sum = 0;
                              for (; iterations > 0; --iterations) {
                                  sum += measured_in_a_child(kind, seconds);
                              }
                              return sum;
                          },
                          scale, true});
}

}  // namespace lab
