// SPDX-License-Identifier: BSL-1.0
#include "measure/measure_command.hpp"

#include "measure/continuation.hpp"
#include "measure/interrupts.hpp"
#include "measure/lab.hpp"
#include "measure/lab_locations.hpp"
#include "measure/machine.hpp"
#include "measure/noise.hpp"
#include "measure/progress.hpp"
#include "measure/suite_run.hpp"
#include "results/result_file.hpp"
#include "support/programs.hpp"
#include "support/shell_quoted.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <iterator>
#include <regex>
#include <string_view>

#include <fmt/chrono.h>
#include <fmt/ranges.h>
#include <unistd.h>

namespace freehold {
namespace {

class measure_error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

void check_filter(const std::string& filter) {
    try {
        const std::regex compiles(filter);
    } catch (const std::regex_error& error) {
        throw measure_error(fmt::format("--filter '{}' is not an ECMAScript regular expression: {}",
                                        filter, error.what()));
    }
}

std::vector<lab> labs_to_run(const measure_options& options, const interrupts& interrupts) {
    const auto executables = options.labs.empty() ? find_labs(support::own_folder()) : options.labs;
    if (executables.empty())
        throw measure_error(
            "there is no lab in the program's folder; build the target `freehold_lab`, or "
            "name a lab executable with --lab");
    return describe_labs(executables, interrupts);
}

std::vector<std::string> suites_to_run(const std::vector<std::string>& asked,
                                       const std::vector<lab>& labs) {
    const auto known = suites_of(labs);
    if (asked.empty()) return known;
    std::vector<std::string> chosen;
    for (const std::string& name : asked) {
        if (std::find(known.begin(), known.end(), name) == known.end())
            throw measure_error(fmt::format("there is no suite \"{}\"; the labs have {}", name,
                                            fmt::join(known, ", ")));
        if (std::find(chosen.begin(), chosen.end(), name) == chosen.end()) chosen.push_back(name);
    }
    return chosen;
}

result_file beginning(const measure_options& options, const std::vector<lab>& labs) {
    result_file results;
    results.created = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
    results.mode = options.mode;
    results.filter = options.filter;
    results.library = labs.front().library;
    for (const lab& each : labs) results.labs.push_back(each.description);
    const machine machine = describe_machine();
    results.environment.facts = facts_of(machine);
    results.environment.warnings = reasons_for_noise(machine);
    return results;
}

/// A suite that this command measures, and the labs that measure it.
struct suite_to_measure {
    suite_description description;
    std::vector<lab> labs;

    [[nodiscard]] const suite_schedule& schedule(const std::string& mode) const {
        return description.schedule.at(mode);
    }
};

std::vector<suite_to_measure> what_is_left(const std::vector<std::string>& suites,
                                           const result_file& results,
                                           const std::vector<lab>& labs) {
    std::vector<suite_to_measure> left;
    for (const std::string& name : suites) {
        auto still = labs_to_measure(results, name, labs);
        if (still.empty()) continue;
        const suite_description description = *still.front().find(name);
        left.push_back({description, std::move(still)});
    }
    return left;
}

progress progress_on_standard_error(const std::vector<suite_to_measure>& suites,
                                    const std::string& mode) {
    std::vector<time_estimate::suite> expected;
    for (const auto& each : suites) {
        const suite_schedule& schedule = each.schedule(mode);
        expected.push_back({schedule.typical_seconds * static_cast<double>(each.labs.size()),
                            schedule.limit_seconds});
    }
    const char* terminal = std::getenv("TERM");
    const bool rewrites =
        ::isatty(STDERR_FILENO) != 0 && terminal != nullptr && std::string_view(terminal) != "dumb";
    return progress(stderr, rewrites, time_estimate(std::move(expected)));
}

/// One run of the command, from the first suite that the file does not have yet to the last.
class measuring {
public:
    measuring(const measure_options& options, const interrupts& interrupts,
              std::filesystem::path output, result_file results)
        : options_(options),
          interrupts_(interrupts),
          output_(std::move(output)),
          results_(std::move(results)) {}

    suite_end run(const std::vector<suite_to_measure>& suites) {
        save_results(results_, output_);
        progress progress = progress_on_standard_error(suites, options_.mode);
        for (const auto& each : suites)
            if (measure(each, progress) == suite_end::interrupted) return suite_end::interrupted;
        return suite_end::complete;
    }

private:
    suite_end measure(const suite_to_measure& what, progress& progress) {
        const suite_request request{what.description.key, what.schedule(options_.mode),
                                    options_.filter};
        suite_collector collector;
        progress.begin_suite(request.suite);
        try {
            const suite_end end = run_suite(request, what.labs, interrupts_, progress, collector);
            keep(what, collector, progress, end == suite_end::complete);
            return end;
        } catch (const lab_error&) {
            keep(what, collector, progress, false);
            throw;
        }
    }

    /// The figures of the labs that ran replace their earlier ones. Those of other labs stay. The
    /// figures of an interrupted run are kept only if there was no complete run before.
    void keep(const suite_to_measure& what, suite_collector& collector, progress& progress,
              bool whole) {
        const double seconds = progress.seconds();
        progress.end_suite(whole);
        suite& kept = results_.suites[what.description.key];
        if (whole || !kept.complete) {
            for (const lab& each : what.labs) {
                const std::string& name = each.description.name;
                std::erase_if(kept.measurements,
                              [&](const auto& cell) { return cell.lab == name; });
                std::erase_if(kept.skipped, [&](const auto& cell) { return cell.lab == name; });
                if (whole) kept.measured_by[name] = each.subjects_present();
            }
            suite& collected = collector.collected();
            std::move(collected.measurements.begin(), collected.measurements.end(),
                      std::back_inserter(kept.measurements));
            std::move(collected.skipped.begin(), collected.skipped.end(),
                      std::back_inserter(kept.skipped));
            kept.counts += collected.counts;
            kept.seconds += seconds;
            kept.complete = whole;
        }
        save_results(results_, output_);
        if (options_.after_suite) options_.after_suite(results_, output_);
    }

    const measure_options& options_;
    const interrupts& interrupts_;
    std::filesystem::path output_;
    result_file results_;
};

std::filesystem::path output_named_by_time() {
    return fmt::format("freehold-{:%Y-%m-%d-%H%M%S}.json", fmt::localtime(std::time(nullptr)));
}

}  // namespace

int measure_command(const measure_options& options) {
    const interrupts interrupts;
    if (options.filter) check_filter(*options.filter);
    const auto labs = labs_to_run(options, interrupts);
    const auto suites = suites_to_run(options.suites, labs);
    const auto output = options.output.value_or(output_named_by_time());
    result_file results = begin_or_continue(output, beginning(options, labs));
    for (const lab& each : labs) add_description(results, each);
    const auto left = what_is_left(suites, results, labs);
    if (left.size() < suites.size())
        fmt::print(stderr, "{} has {} of {} suites already\n", output.string(),
                   suites.size() - left.size(), suites.size());
    if (const auto count = results.environment.warnings.size(); count > 0)
        fmt::print(stderr, "{} warning{}: `freehold doctor` says what helps\n", count,
                   count == 1 ? "" : "s");

    if (left.empty()) {
        if (options.after_suite) options.after_suite(results, output);
    } else {
        measuring now(options, interrupts, output, std::move(results));
        if (now.run(left) == suite_end::interrupted) {
            fmt::print(stderr,
                       "freehold: interrupted; {} has the finished suites, and the same "
                       "command with `-o {}` continues from there\n",
                       output.string(), support::shell_quoted(output.string()));
            return 1;
        }
    }
    fmt::print("{}\n", output.string());
    return 0;
}

}  // namespace freehold
