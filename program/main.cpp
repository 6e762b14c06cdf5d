// SPDX-License-Identifier: BSL-1.0
// The program `freehold`: its command line, and the one place where an exception becomes one line.
#include "advise/advise_command.hpp"
#include "check/check_command.hpp"
#include "freehold_revision.hpp"
#include "measure/doctor_command.hpp"
#include "measure/measure_command.hpp"
#include "record/record_command.hpp"
#include "report/compare_command.hpp"
#include "report/report_command.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace {

constexpr int exit_error = 1;

struct command_line {
    freehold::measure_options measure;
    freehold::doctor_options doctor;
    bool quick = false;
    bool full = false;
    std::vector<std::string> report_files;
    std::optional<std::string> report_html;
    std::vector<std::pair<std::string, std::string>> compared;
    freehold::record_options record;
    freehold::advise_options advise;
    freehold::check_options check;
};

void add_measure(CLI::App& app, command_line& line) {
    auto* command = app.add_subcommand("measure", "Measure every way of owning on this machine");
    command->add_option("suite", line.measure.suites, "Suites to measure; all if none is named");
    auto* quick = command->add_flag("--quick", line.quick, "Rough figures in about six minutes");
    command->add_flag("--full", line.full, "The narrowest intervals, in an hour and three quarters")
        ->excludes(quick);
    command
        ->add_option("--filter", line.measure.filter,
                     "Only competitors whose name this ECMAScript regular expression is found in;\n"
                     "raw, dumb and new and delete, which others are compared with, always run")
        ->type_name("REGEX");
    command
        ->add_option("-o,--output", line.measure.output,
                     "Result file; one that was begun by the same command is continued")
        ->type_name("FILE");
    command
        ->add_option("--lab", line.measure.labs,
                     "Lab executable to run, once for each, instead of the installed ones;\n"
                     "its folder's name is its compiler's")
        ->type_name("EXECUTABLE")
        ->allow_extra_args(false);
    command->footer(
        "Example:\n"
        "  freehold measure operations --quick -o results.json\n"
        "Interrupted, it keeps every suite that is finished; the same command goes on from there.");
}

void add_report(CLI::App& app, command_line& line) {
    auto* command = app.add_subcommand("report", "Show what was measured, as tables and as a page");
    command->add_option("file", line.report_files, "Result files of `freehold measure`")
        ->type_name("FILE")
        ->required();
    command
        ->add_option("-o,--output", line.report_html,
                     "The page: one HTML file that opens offline; report.html if none is named")
        ->type_name("HTML");
    command->footer("Example:\n  freehold report results.json -o report.html");
}

void add_compare(CLI::App& app, command_line& line) {
    auto* command = app.add_subcommand("compare", "Say what changed between result files");
    command
        ->add_option(
            "files", line.compared,
            "A result file to compare with, and one to judge; more such pairs, measured by\n"
            "turns, make the judgement sharper, on a machine whose speed drifts above all")
        ->type_name("BASE NEW")
        ->required();
    command->parse_complete_callback([&line] {
        const auto& [base, changed] = line.compared.back();
        if (changed.empty())
            throw CLI::ArgumentMismatch("files: " + base + " has no NEW beside it");
    });
    command->footer(
        "Exit status: 0 no regression, 1 an error, 2 a regression, 3 too noisy to tell.\n"
        "Example:\n"
        "  freehold compare before.json after.json\n"
        "  freehold compare before1.json after1.json before2.json after2.json");
}

void add_record(CLI::App& app, command_line& line) {
    auto* command = app.add_subcommand(
        "record", "Run a program and record its allocations, for `freehold advise`");
    command->add_option("-o,--output", line.record.output, "Folder that takes the trace")
        ->type_name("TRACE")
        ->required();
    command->add_option("command", line.record.command, "The program to run, and its arguments")
        ->required();
    command->footer(
        "It takes LTTng, which it starts and stops. Children are recorded too; what is linked\n"
        "statically is not. Exit status: the command's.\n"
        "Example:\n  freehold record -o trace -- python3 script.py");
}

void add_doctor(CLI::App& app, command_line& line) {
    auto* command = app.add_subcommand(
        "doctor", "Describe this machine and every reason for noise, each with its remedy");
    command
        ->add_option("--lab", line.doctor.labs,
                     "Lab executable to ask, instead of the installed ones")
        ->type_name("EXECUTABLE")
        ->allow_extra_args(false);
    command->footer("It changes nothing.\nExample:\n  freehold doctor");
}

/// The conversion would take what is below zero, or beyond 64 bits, for another number.
void take_bytes(CLI::Option* option) {
    const auto problem = [](const std::string& text) -> std::string {
        std::uint64_t number = 0;
        const auto end = std::from_chars(text.data(), text.data() + text.size(), number);
        return end.ec == std::errc() ? "" : fmt::format("{} is no number of bytes", text);
    };
    // What is added last comes first.
    option->transform(CLI::AsSizeValue(false))
        ->transform(CLI::Validator(problem, ""))
        ->type_name("BYTES");
}

void add_advise(CLI::App& app, command_line& line) {
    auto* command = app.add_subcommand(
        "advise", "Say which buffer cache would help a recorded program, and how much");
    command->add_option("trace", line.advise.trace, "Trace of `freehold record`, or of heaptrack")
        ->type_name("TRACE")
        ->required();
    take_bytes(command->add_option(
        "--min-size", line.advise.min_size,
        "Only requests of so many bytes or more; the others stay with the allocator"));
    take_bytes(command->add_option("--max-idle", line.advise.max_idle,
                                   "The most that a cache may keep; 64 MiB if nothing is said"));
    command
        ->add_option("-o,--output", line.advise.html,
                     "The page: one HTML file that opens offline; advice.html if none is named")
        ->type_name("HTML");
    command->footer("Example:\n  freehold advise trace --max-idle 1MiB -o advice.html");
}

void add_check(CLI::App& app, command_line& line) {
    auto* command = app.add_subcommand(
        "check", "Find memory in C++ code that is zeroed and then overwritten before it is read");
    command->add_option("file", line.check.files, "Source files to check")
        ->type_name("FILE")
        ->required();
    command
        ->add_option(
            "-p", line.check.build,
            "Folder of compile_commands.json; the nearest above each file if none is named")
        ->type_name("BUILD");
    command->add_flag("--fix", line.check.fix,
                      "Replace what has a replacement in its C++ standard");
    command->add_option("--sarif", line.check.sarif, "Also write the findings as SARIF 2.1.0")
        ->type_name("FILE");
    command->add_flag("--json", line.check.json, "Print the findings as JSON");
    take_bytes(
        command->add_option("--min-bytes", line.check.min_bytes,
                            "Only what zeroes so many bytes or more; 256 if nothing is said"));
    command
        ->add_option("--results", line.check.results,
                     "Result file of `freehold measure zeroing`: says what zeroing costs")
        ->type_name("RESULTS");
    command->footer(
        "Takes a compilation database, or the compiler's flags after --.\n"
        "Exit status: 0 nothing found, 1 an error, 2 something found.\n"
        "Example:\n"
        "  freehold check -p build src/reader.cpp\n"
        "  freehold check reader.cpp -- -std=c++20 -Iinclude");
}

int run(const CLI::App& app, command_line& line) {
    if (app.got_subcommand("measure")) {
        if (line.quick) line.measure.mode = freehold::measure_mode::quick;
        if (line.full) line.measure.mode = freehold::measure_mode::full;
        return freehold::measure_command(line.measure);
    }
    if (app.got_subcommand("report"))
        return freehold::report_command(line.report_files, line.report_html);
    if (app.got_subcommand("compare")) return freehold::compare_command(line.compared);
    if (app.got_subcommand("advise")) return freehold::advise_command(line.advise);
    if (app.got_subcommand("check")) return freehold::check_command(line.check);
    if (app.got_subcommand("record")) return freehold::record_command(line.record);
    return freehold::doctor_command(line.doctor);
}

int usage_error(const CLI::App& app, const CLI::ParseError& error) {
    std::string command = "freehold";
    for (const auto* sub : app.get_subcommands()) command += " " + sub->get_name();
    std::string problem = error.what();
    std::replace(problem.begin(), problem.end(), '\n', ' ');
    fmt::print(stderr, "freehold: {}; see `{} --help`\n", problem, command);
    return exit_error;
}

/// What follows `--` of `freehold check` is the compiler's. Returns how many arguments come before.
int take_flags(int argc, char** argv, freehold::check_options& check) {
    if (argc < 2 || std::strcmp(argv[1], "check") != 0) return argc;
    for (int i = 2; i < argc; ++i) {
        if (std::strcmp(argv[i], "--") != 0) continue;
        check.flags.assign(argv + i + 1, argv + argc);
        check.has_flags = true;
        return i;
    }
    return argc;
}

/// A full disk behind a redirected standard output must not pass for success.
int flushed(int status) {
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return status;
    fmt::print(stderr, "freehold: standard output cannot be written: {}\n", std::strerror(errno));
    return exit_error;
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app("What each way of owning memory costs on this machine.", "freehold");
    app.set_version_flag("--version",
                         fmt::format("freehold {} ({})", freehold_version, freehold_commit));
    app.require_subcommand(1);
    app.footer(
        "Example:\n"
        "  freehold measure -o results.json\n"
        "  freehold report results.json -o report.html");

    command_line line;
    add_measure(app, line);
    add_report(app, line);
    add_compare(app, line);
    add_advise(app, line);
    add_record(app, line);
    add_doctor(app, line);
    add_check(app, line);

    try {
        app.parse(take_flags(argc, argv, line.check), argv);
        return flushed(run(app, line));
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) return flushed(app.exit(error));
        return usage_error(app, error);
    } catch (const std::exception& error) {
        fmt::print(stderr, "freehold: {}\n", error.what());
        return exit_error;
    }
}
