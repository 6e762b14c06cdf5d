// SPDX-License-Identifier: BSL-1.0
// What a suite is to the runner: a plan of cells, each of which yields one figure.
#pragma once

#include "competitors/competitor.hpp"
#include "suites/process_kind.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <regex>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <benchmark/benchmark.h>

namespace lab {

/// Which figure it is. The members are the protocol's.
struct figure {
    std::string competitor;
    std::string test;
    std::optional<std::int64_t> n;
    std::string unit;
    std::string note = {};
};

struct timed_cell {
    figure what;
    /// Measures by `State::SetIterationTime`; the figure is its mean, in seconds, times `scale`.
    std::function<void(benchmark::State&)> body;
    double scale;
    /// One iteration is a whole measurement; otherwise iterations fill the minimum time.
    bool once;
    /// If there is one, it tells why the cell can be measured no more, or nothing.
    std::function<std::string()> why_broken_off = {};
    /// So many iterations, whatever the minimum time.
    std::optional<std::int64_t> iterations = {};
};

/// What a joint cell throws that cannot be measured any more: one line that says why.
struct cell_broken_off : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// One run that yields several figures at once, each of which may be zero.
struct joint_cell {
    std::vector<figure> what;
    /// As many values, in that order and in those units. Throws cell_broken_off.
    std::function<std::vector<double>()> measure;
};

struct exact_cell {
    figure what;
    double value;
};

struct skipped_cell {
    std::string competitor;
    std::string test;
    std::string reason;
};

struct plan {
    std::vector<timed_cell> timed;
    std::vector<joint_cell> joint;
    std::vector<exact_cell> exact;
    std::vector<skipped_cell> skipped;
};

/// What the others are compared with: measured whatever the filter.
inline bool is_reference(std::string_view competitor) {
    constexpr std::array<std::string_view, 5> references = {"raw", "dumb", "new and delete",
                                                            "new and delete, kept", "floor"};
    return std::find(references.begin(), references.end(), competitor) != references.end();
}

struct selection {
    process_kind process;
    std::optional<std::regex> filter;
    /// Of the objects that a suite reads.
    std::uint64_t data_bytes = std::uint64_t{256} << 20;

    bool wants(const std::string& competitor, bool in_single) const {
        if (process == process_kind::single && !in_single) return false;
        return is_reference(competitor) || !filter || std::regex_search(competitor, *filter);
    }
};

struct suite {
    const char* name;
    std::vector<process_kind> processes;
    plan (*make_plan)(const selection&);
};

plan plan_operations(const selection&);
plan plan_containers(const selection&);
plan plan_footprint(const selection&);
plan plan_cycles(const selection&);
plan plan_construction(const selection&);
plan plan_threads(const selection&);
plan plan_packets(const selection&);
plan plan_zeroing(const selection&);
plan plan_cold_scan(const selection&);
plan plan_buffers(const selection&);

const std::vector<suite>& all_suites();

/// Calls `add.operator()<Competitor>()` for each competitor that is wanted and installed, and
/// writes down the absence of those that are wanted and not installed, once for each of `tests`.
template <class Competitors, class Add>
void for_each_selected(plan& into, const selection& chosen, const std::vector<std::string>& tests,
                       Add&& add) {
    Competitors::for_each([&]<class Competitor>() {
        if (!chosen.wants(Competitor::name, Competitor::in_single)) return;
        if constexpr (installed<Competitor>) {
            add.template operator()<Competitor>();
        } else {
            for (const std::string& test : tests) {
                into.skipped.push_back({Competitor::name, test, Competitor::missing});
            }
        }
    });
}

}  // namespace lab
