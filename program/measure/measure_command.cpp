// SPDX-License-Identifier: BSL-1.0
#include "measure/measure_command.hpp"

#include "measure/continuation.hpp"
#include "measure/interrupts.hpp"
#include "measure/lab.hpp"
#include "measure/lab_locations.hpp"
#include "measure/machine.hpp"
#include "measure/missing_parts.hpp"
#include "measure/noise.hpp"
#include "measure/progress.hpp"
#include "measure/suite_run.hpp"
#include "measure/warm_up.hpp"
#include "results/result_file.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <regex>
#include <string_view>

#include <fmt/chrono.h>
#include <fmt/ranges.h>
#include <unistd.h>

namespace freehold {
namespace {

constexpr std::chrono::seconds warm_up_at_the_start{1};

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
    const auto executables =
        options.labs.empty() ? find_labs(folder_of_this_program()) : options.labs;
    if (executables.empty())
        throw measure_error(
            "there is no lab beside the program; build the target `freehold_lab`, or "
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
    results.mode = mode_name(options.mode);
    results.filter = options.filter;
    results.library = labs.front().library;
    for (const lab& each : labs) results.labs.push_back(each.description);
    const machine machine = describe_machine();
    results.environment.facts = facts_of(machine);
    results.environment.warnings = reasons_for_noise(machine);
    const auto missing = missing_parts(labs);
    auto& warnings = results.environment.warnings;
    warnings.insert(warnings.end(), missing.begin(), missing.end());
    return results;
}

progress progress_on_standard_error(const std::vector<std::string>& suites, measure_mode mode,
                                    std::size_t labs) {
    std::vector<time_estimate::suite> expected;
    for (const std::string& suite : suites) {
        const suite_schedule schedule = schedule_for(suite, mode);
        expected.push_back(
            {schedule.typical_seconds * static_cast<double>(labs), schedule.limit_seconds});
    }
    const char* terminal = std::getenv("TERM");
    const bool rewrites =
        ::isatty(STDERR_FILENO) != 0 && terminal != nullptr && std::string_view(terminal) != "dumb";
    return progress(stderr, rewrites, time_estimate(std::move(expected)));
}

/// One run of the command, from the first suite that the file does not have yet to the last.
class measuring {
public:
    measuring(const measure_options& options, const interrupts& interrupts, std::vector<lab> labs,
              std::filesystem::path output, result_file results)
        : options_(options),
          interrupts_(interrupts),
          labs_(std::move(labs)),
          output_(std::move(output)),
          results_(std::move(results)) {}

    suite_end run(const std::vector<std::string>& suites) {
        save_results(results_, output_);
        progress progress = progress_on_standard_error(suites, options_.mode, labs_.size());
        warm_up(warm_up_at_the_start, interrupts_);
        for (const std::string& suite : suites)
            if (measure(suite, progress) == suite_end::interrupted) return suite_end::interrupted;
        return suite_end::complete;
    }

private:
    suite_end measure(const std::string& name, progress& progress) {
        const suite_request request{name, schedule_for(name, options_.mode), options_.filter};
        suite_collector collector;
        progress.begin_suite(name);
        try {
            const suite_end end = run_suite(request, labs_, interrupts_, progress, collector);
            keep(name, collector, progress, end == suite_end::complete);
            return end;
        } catch (const lab_error&) {
            keep(name, collector, progress, false);
            throw;
        }
    }

    void keep(const std::string& name, suite_collector& collector, progress& progress, bool whole) {
        suite& collected = collector.collected();
        collected.complete = whole;
        collected.seconds = progress.seconds();
        progress.end_suite(whole);
        results_.suites[name] = std::move(collected);
        save_results(results_, output_);
    }

    const measure_options& options_;
    const interrupts& interrupts_;
    std::vector<lab> labs_;
    std::filesystem::path output_;
    result_file results_;
};

std::filesystem::path output_named_by_time() {
    return fmt::format("freehold-{:%Y-%m-%d-%H%M%S}.json", fmt::localtime(std::time(nullptr)));
}

std::vector<std::string> without_finished(const std::vector<std::string>& suites,
                                          const result_file& results) {
    std::vector<std::string> left;
    for (const std::string& name : suites) {
        const auto found = results.suites.find(name);
        if (found == results.suites.end() || !found->second.complete) left.push_back(name);
    }
    return left;
}

}  // namespace

int measure_command(const measure_options& options) {
    const interrupts interrupts;
    if (options.filter) check_filter(*options.filter);
    auto labs = labs_to_run(options, interrupts);
    const auto suites = suites_to_run(options.suites, labs);
    const auto output = options.output.value_or(output_named_by_time());
    result_file results = begin_or_continue(output, beginning(options, labs));
    const auto left = without_finished(suites, results);
    if (left.size() < suites.size())
        fmt::print(stderr, "{} has {} of {} suites already\n", output.string(),
                   suites.size() - left.size(), suites.size());
    if (const auto count = results.environment.warnings.size(); count > 0)
        fmt::print(stderr, "{} warning{}: `freehold doctor` says what helps\n", count,
                   count == 1 ? "" : "s");

    if (!left.empty()) {
        measuring now(options, interrupts, std::move(labs), output, std::move(results));
        if (now.run(left) == suite_end::interrupted) {
            fmt::print(
                stderr,
                "freehold: interrupted; what is finished is in {}, and the same command with "
                "`-o {}` goes on from there\n",
                output.string(), output.string());
            return 1;
        }
    }
    fmt::print("{}\n", output.string());
    return 0;
}

}  // namespace freehold
