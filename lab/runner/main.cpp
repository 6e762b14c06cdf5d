// SPDX-License-Identifier: BSL-1.0
// `freehold-lab describe` and `freehold-lab run SUITE ...`; see lab/README.md.
#include "runner/describe.hpp"
#include "runner/interleave.hpp"
#include "runner/joint_cells.hpp"
#include "runner/peer_cells.hpp"
#include "runner/process.hpp"
#include "runner/protocol.hpp"
#include "suites/suite.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <optional>
#include <regex>
#include <stdexcept>
#include <string>

#include <CLI/CLI.hpp>

namespace {

struct run_options {
    std::string suite;
    std::string process;
    std::size_t repetitions = 0;
    double min_time = 0;
    std::string filter;
    std::optional<std::int64_t> seed_iterations;
    std::uint64_t data_mebibytes = 256;
};

const lab::suite& find_suite(const std::string& name, lab::process_kind process) {
    const auto& suites = lab::all_suites();
    const auto found =
        std::find_if(suites.begin(), suites.end(), [&](const auto& s) { return s.name == name; });
    if (found == suites.end()) {
        throw std::runtime_error("there is no suite '" + name +
                                 "'; `freehold-lab describe` lists them");
    }
    const auto& processes = found->processes;
    if (std::find(processes.begin(), processes.end(), process) == processes.end()) {
        throw std::runtime_error("suite '" + name +
                                 "' is not measured in this kind of process; "
                                 "`freehold-lab describe` says in which it is");
    }
    return *found;
}

std::optional<std::regex> make_filter(const std::string& pattern) {
    if (pattern.empty()) return std::nullopt;
    try {
        return std::regex(pattern);
    } catch (const std::regex_error&) {
        throw std::runtime_error("--filter '" + pattern +
                                 "' is not an ECMAScript regular expression");
    }
}

void run(const run_options& options) {
    const auto kind =
        options.process == "single" ? lab::process_kind::single : lab::process_kind::threaded;
    const lab::suite& suite = find_suite(options.suite, kind);
    const lab::selection chosen = {kind, make_filter(options.filter), options.data_mebibytes << 20};

    const lab::process_setting setting(kind);
    lab::plan plan = suite.make_plan(chosen);
    lab::add_peer_cells(plan, suite.name, chosen, options.seed_iterations);
    lab::print_plan(plan.exact.size() +
                    (plan.timed.size() + lab::figures_in(plan.joint)) * options.repetitions);
    for (const auto& cell : plan.skipped) lab::print_skipped(cell);
    for (const auto& cell : plan.exact) lab::print_exact(cell);
    lab::measure(plan.timed, options.repetitions, options.min_time);
    lab::measure(plan.joint, options.repetitions);
    setting.check();
    lab::print_done();
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app("Measures freehold and its peers; the program `freehold` runs it and reads it.");
    app.require_subcommand(1);
    app.add_subcommand("describe", "Print what this lab was built with and which suites it has")
        ->callback(lab::describe);

    run_options options;
    CLI::App* run_command = app.add_subcommand("run", "Measure one suite in one process");
    run_command->add_option("suite", options.suite)->required();
    run_command->add_option("--process", options.process)
        ->required()
        ->check(CLI::IsMember({"threaded", "single"}));
    run_command->add_option("--repetitions", options.repetitions)
        ->required()
        ->check(CLI::Range(std::size_t{1}, std::size_t{1000}));
    run_command->add_option("--min-time", options.min_time, "seconds for each cell and repetition")
        ->required()
        ->check(CLI::Range(1e-6, 60.0));
    run_command->add_option("--filter", options.filter, "only competitors whose name has a match");
    run_command
        ->add_option("--seed-iterations", options.seed_iterations,
                     "iterations of the tests `seed ...`, whatever the minimum time")
        ->check(CLI::Range(std::int64_t{1}, std::int64_t{1'000'000'000}));
    run_command
        ->add_option("--data", options.data_mebibytes, "MiB of the objects that a suite reads")
        ->check(CLI::Range(std::uint64_t{16}, std::uint64_t{1} << 20));
    run_command->callback([&] { run(options); });

    try {
        app.parse(argc, argv);
        return 0;
    } catch (const CLI::CallForHelp&) {
        std::cout << app.help();
        return 0;
    } catch (const std::exception& error) {
        std::cerr << "freehold-lab: " << error.what() << '\n';
        return 1;
    }
}
