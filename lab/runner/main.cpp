// SPDX-License-Identifier: BSL-1.0
// `freehold-lab describe` and `freehold-lab run SUITE ...`; see lab/README.md.
#include "runner/clock_rate.hpp"
#include "runner/describe.hpp"
#include "runner/external_cells.hpp"
#include "runner/measure.hpp"
#include "runner/process_setting.hpp"
#include "runner/protocol.hpp"
#include "runner/registry.hpp"
#include "runner/suites.hpp"

#include <cstddef>
#include <cstdint>
#include <iostream>
#include <optional>
#include <regex>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

namespace {

struct run_options {
    std::string suite;
    std::string process;
    std::size_t repetitions = 0;
    double min_time = 0;
    std::string iterations;
    std::string leave_out;
    std::string filter;
    std::uint64_t data_mebibytes = 256;
};

std::optional<std::regex> make_filter(const std::string& pattern) {
    if (pattern.empty()) return std::nullopt;
    try {
        return std::regex(pattern);
    } catch (const std::regex_error&) {
        throw std::runtime_error("--filter '" + pattern +
                                 "' is not an ECMAScript regular expression");
    }
}

std::vector<lab::subject> all_subjects(const lab::external_subjects& external) {
    std::vector<lab::subject> all = lab::registered_subjects();
    lab::merge_subjects(all, external.all());
    return all;
}

void run(const run_options& options) {
    const auto kind =
        options.process == "single" ? lab::process_kind::single : lab::process_kind::threaded;
    const lab::described_suite& suite = lab::find_suite(options.suite);
    if (!suite.is_measured_in(kind)) {
        throw std::runtime_error("suite '" + suite.key() + "' is not measured in process " +
                                 options.process + "; see `freehold-lab describe`");
    }
    const std::optional<std::regex> filter = make_filter(options.filter);
    const auto passes = [&](std::string_view key, std::string_view name) {
        return !filter || suite.has_lower_bound(key) ||
               std::regex_search(key.begin(), key.end(), *filter) ||
               std::regex_search(name.begin(), name.end(), *filter);
    };
    const lab::selection chosen = {kind, passes, options.data_mebibytes << 20};

    const lab::process_setting setting(kind);
    lab::plan plan = lab::make_plan(suite.key(), chosen);
    const lab::external_subjects external(kind);
    const std::string first_case = suite.json().at("cases").front().at("key");
    external.add_cells(plan, suite.key(), first_case, chosen);
    suite.check(plan, all_subjects(external));
    if (!options.leave_out.empty()) lab::leave_out(plan, options.leave_out);

    const lab::printer out(suite);
    out.plan(plan.exact.size() +
             (lab::wanted(plan.timed) + lab::figures_in(plan.joint)) * options.repetitions);
    for (const auto& cell : plan.skipped) out.skipped(cell);
    for (const auto& cell : plan.exact) out.exact(cell);
    lab::raise_clock_rate();
    const lab::sample_counts counts =
        lab::measure(plan.timed, options.repetitions, options.min_time, options.iterations, out);
    lab::measure(plan.joint, options.repetitions, out);
    setting.check();
    out.done(counts);
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app(
        "Measures Freehold and other subjects. The program `freehold` runs it and reads its "
        "output.");
    app.require_subcommand(1);
    app.add_subcommand("describe", "Print this lab's compiler, subjects and suites")->callback([] {
        lab::describe(all_subjects(lab::external_subjects(lab::process_kind::single)));
    });

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
    run_command->add_option("--iterations", options.iterations,
                            "a file that keeps the numbers of iterations that fill --min-time, for "
                            "the next process with the same options");
    run_command->add_option("--leave-out", options.leave_out,
                            "a file with `SUBJECT<tab>CASE<tab>N` of each timed cell to leave out");
    run_command->add_option("--filter", options.filter,
                            "only subjects whose key or name has a match");
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
