// SPDX-License-Identifier: BSL-1.0
// The program `freehold`: its command line, and the one place that turns an exception into one
// line. `commands` is the list of its commands. Help, dispatch, the manual page and the completions
// follow from it.
#include "advise/advise_command.hpp"
#include "check/check_command.hpp"
#include "command_pages.hpp"
#include "handles/compare_handles.hpp"
#include "handles/handles_command.hpp"
#include "handles/handles_file.hpp"
#include "measure/doctor_command.hpp"
#include "measure/measure_command.hpp"
#include "owners/compare_owners.hpp"
#include "owners/owners_command.hpp"
#include "owners/owners_file.hpp"
#include "record/record_command.hpp"
#include "report/compare_command.hpp"
#include "report/report_command.hpp"
#include "support/revision.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace {

constexpr int exit_error = 1;

/// Runs the command after its options are read. Returns the exit status.
using action = std::function<int()>;

struct command {
    const char* name;
    const char* what;             // one line for the list of commands
    action (*define)(CLI::App&);  // adds the options to the command's own parser
    const char* footer;           // exit statuses if there are more than two, and an example
};

void add_labs(CLI::App& app, std::vector<std::filesystem::path>& labs) {
    app.add_option("--lab", labs,
                   "Lab executable to run instead of the installed ones; may be repeated.\n"
                   "The name of its folder is shown as the compiler")
        ->type_name("EXECUTABLE")
        ->allow_extra_args(false);
}

action define_measure(CLI::App& app) {
    struct options {
        freehold::measure_options measure;
        bool quick = false;
        bool full = false;
        std::optional<std::string> page;
    };
    const auto line = std::make_shared<options>();
    app.add_option("suite", line->measure.suites, "Suites to measure; all if none is named");
    auto* quick = app.add_flag("--quick", line->quick, "Rough figures in about six minutes");
    app.add_flag("--full", line->full, "The narrowest intervals, in about half an hour")
        ->excludes(quick);
    app.add_option("--filter", line->measure.filter,
                   "Only subjects whose name or key contains a match of this ECMAScript regular\n"
                   "expression; lower bounds and baselines always run")
        ->type_name("REGEX");
    app.add_option("-o,--output", line->measure.output,
                   "Result file; if it is from this machine and this library, it is continued")
        ->type_name("FILE");
    app.add_option("--page", line->page, "Page to write after each suite, as `report` does")
        ->type_name("HTML");
    add_labs(app, line->measure.labs);
    return [line] {
        if (line->quick) line->measure.mode = "quick";
        if (line->full) line->measure.mode = "full";
        if (line->page)
            line->measure.after_suite = [page = *line->page](const auto& results,
                                                             const auto& file) {
                freehold::write_page(results, file, page);
            };
        return freehold::measure_command(line->measure);
    };
}

action define_report(CLI::App& app) {
    const auto line = std::make_shared<freehold::report_options>();
    app.add_option("file", line->files, "Result files of `freehold measure`")
        ->type_name("FILE")
        ->required();
    app.add_option("-o,--output", line->page,
                   "The page, one HTML file that opens offline; the default is report.html")
        ->type_name("HTML");
    app.add_option("--suite", line->suites, "Print the tables of this suite; may be repeated")
        ->type_name("NAME")
        ->allow_extra_args(false);
    app.add_flag("--all", line->all,
                 "Print the tables of all suites. Also show the figures of all compilers, on the\n"
                 "page too, and not only those that differ from the first compiler's");
    app.add_flag("--aims", line->aims,
                 "Print the project's own aims and whether the figures reach them");
    return [line] { return freehold::report_command(*line); };
}

action define_compare(CLI::App& app) {
    const auto files = std::make_shared<std::vector<std::string>>();
    app.add_option(
           "files", *files,
           "A result file to compare with, and one to judge. Several such pairs, measured\n"
           "alternately, give a sharper judgement, above all if the machine's speed drifts.\n"
           "Or two files of `freehold handles --json` or `freehold owners --json`")
        ->type_name("BASE NEW")
        ->required();
    const auto all = std::make_shared<bool>(false);
    app.add_flag("--all", *all, "Also list the figures that only one of the files has");
    app.parse_complete_callback([files] {
        if (files->size() % 2 != 0)
            throw CLI::ArgumentMismatch("files: " + files->back() + " has no NEW; name two files");
    });
    return [files, all] {
        const std::string& base = files->at(0);
        if (files->size() == 2 && freehold::is_handles_file(base))
            return freehold::compare_handles_command(base, files->at(1));
        if (files->size() == 2 && freehold::is_owners_file(base))
            return freehold::compare_owners_command(base, files->at(1));
        std::vector<std::pair<std::string, std::string>> pairs;
        for (std::size_t i = 0; i < files->size(); i += 2)
            pairs.emplace_back((*files)[i], (*files)[i + 1]);
        return freehold::compare_command(pairs, *all);
    };
}

/// CLI11's conversion would turn negative numbers and numbers above 64 bits into other numbers.
void take_bytes(CLI::Option* option) {
    const auto problem = [](const std::string& text) -> std::string {
        std::uint64_t number = 0;
        const auto end = std::from_chars(text.data(), text.data() + text.size(), number);
        return end.ec == std::errc() ? "" : fmt::format("{} is not a number of bytes", text);
    };
    // CLI11 applies the transformation that was added last first.
    option->transform(CLI::AsSizeValue(false))
        ->transform(CLI::Validator(problem, ""))
        ->type_name("BYTES");
}

action define_advise(CLI::App& app) {
    const auto line = std::make_shared<freehold::advise_options>();
    app.add_option("trace", line->trace, "Trace of `freehold record`, or of heaptrack")
        ->type_name("TRACE")
        ->required();
    take_bytes(
        app.add_option("--min-size", line->min_size,
                       "Only requests of at least this size; the allocator serves the others"));
    take_bytes(app.add_option("--max-idle", line->max_idle,
                              "The most that a cache may keep idle; the default is 64 MiB"));
    app.add_option("-o,--output", line->html,
                   "The page, one HTML file that opens offline; the default is advice.html")
        ->type_name("HTML");
    return [line] { return freehold::advise_command(*line); };
}

/// The words after the `--` of `freehold check` and `freehold owners`, if there is a `--`.
std::optional<std::vector<std::string>> words_after_dashes;

action define_check(CLI::App& app) {
    const auto line = std::make_shared<freehold::check_options>();
    app.add_option("file", line->files, "Source files to check")->type_name("FILE")->required();
    app.add_option(
           "-p", line->build,
           "Folder of compile_commands.json; the default is the nearest one above each file")
        ->type_name("BUILD");
    app.add_flag("--fix", line->fix, "Replace the code, if its C++ standard has a replacement");
    app.add_option("--sarif", line->sarif, "Also write the findings as SARIF 2.1.0")
        ->type_name("FILE");
    app.add_flag("--json", line->json, "Print the findings as JSON");
    app.add_flag("--verbose", line->verbose, "Also print what took too long to check");
    take_bytes(
        app.add_option("--min-bytes", line->min_bytes,
                       "Only code that zeroes at least this many bytes; the default is 256"));
    app.add_option("--results", line->results,
                   "Result file of `freehold measure zeroing`, for the cost of zeroing")
        ->type_name("RESULTS");
    return [line] {
        line->has_flags = words_after_dashes.has_value();
        if (words_after_dashes) line->flags = *words_after_dashes;
        return freehold::check_command(*line);
    };
}

action define_record(CLI::App& app) {
    const auto line = std::make_shared<freehold::record_options>();
    app.add_option("-o,--output", line->output, "Folder for the trace")
        ->type_name("TRACE")
        ->required();
    app.add_option("command", line->command, "The program to run, and its arguments")->required();
    return [line] { return freehold::record_command(*line); };
}

action define_handles(CLI::App& app) {
    const auto line = std::make_shared<freehold::handles_options>();
    app.add_option("-o,--output", line->page,
                   "Also write a page: one HTML file that opens offline, with the sources' lines")
        ->type_name("HTML");
    app.add_option("--json", line->json,
                   "Also write what was counted as JSON, which `freehold compare` takes")
        ->type_name("FILE");
    app.add_option("--describe", line->describe,
                   "Table of further handles, as docs/handles.md says")
        ->type_name("FILE");
    CLI::Option* const children =
        app.add_flag("--children", line->children, "Count the programs that it starts, too");
    CLI::Option* const plain_run = app.add_flag(
        "--plain-run", line->plain_run,
        "Run the program twice, first without Valgrind, to report the share of its run time");
    app.add_flag("--sample", line->sample,
                 "Run the program without Valgrind and sample it: shares of its time in place of "
                 "counts, for programs that are too slow under Valgrind or have many threads")
        ->excludes(children)
        ->excludes(plain_run);
    app.add_option("command", line->command, "The program to run, and its arguments")->required();
    return [line] { return freehold::handles_command(*line); };
}

action define_owners(CLI::App& app) {
    const auto line = std::make_shared<freehold::owners_options>();
    app.add_option("process", line->process, "Number of a running process")->type_name("PID");
    app.add_option("--core", line->core, "Core dump to look at instead")->type_name("CORE");
    app.add_option("--exe", line->program,
                   "Program of the core, if it is not where the core says that it was")
        ->type_name("FILE");
    app.add_option("--who", line->who,
                   "Also list the holders of the objects of this type, or of the object at this\n"
                   "address")
        ->type_name("TYPE|ADDRESS");
    app.add_option("--top", line->top, "The most types, rings and holders to print; default 10")
        ->check(CLI::Validator(CLI::PositiveNumber).description(""))
        ->type_name("NUMBER");
    app.add_option("-o,--output", line->page, "Also write a page: one HTML file that opens offline")
        ->type_name("HTML");
    app.add_option("--json", line->json,
                   "Also write all that was found as JSON, which `freehold compare` takes")
        ->type_name("FILE");
    CLI::Option* const every =
        app.add_option("--every", line->every,
                       "Look at the process several times, with so many seconds between, and\n"
                       "report which types grow")
            ->check(CLI::Validator(CLI::PositiveNumber).description(""))
            ->type_name("SECONDS");
    app.add_option("--looks", line->looks, "How many times --every looks; default 10")
        ->check(CLI::Validator(CLI::PositiveNumber).description(""))
        ->type_name("NUMBER")
        ->needs(every);
    return [line] {
        if (words_after_dashes) line->command = *words_after_dashes;
        return freehold::owners_command(*line);
    };
}

action define_doctor(CLI::App& app) {
    const auto line = std::make_shared<freehold::doctor_options>();
    add_labs(app, line->labs);
    return [line] { return freehold::doctor_command(*line); };
}

constexpr std::array commands{
    command{"measure", "Measure on this machine what smart pointers, pools and caches cost",
            define_measure,
            "Example:\n"
            "  freehold measure operations --quick -o results.json\n"
            "If it is interrupted, the finished suites are kept; the same command continues."},
    command{"report", "Show the figures, as a summary and as a page", define_report,
            "Example:\n"
            "  freehold report results.json -o report.html\n"
            "  freehold report results.json --suite operations"},
    command{"compare", "Say what changed between result files", define_compare,
            "Exit status: 0 no regression, 1 an error, 2 a regression, 3 too noisy to tell.\n"
            "Example:\n"
            "  freehold compare before.json after.json\n"
            "  freehold compare before1.json after1.json before2.json after2.json\n"
            "  freehold compare handles_before.json handles_after.json"},
    command{"advise", "Say which buffer cache would help a recorded program, and how much",
            define_advise, "Example:\n  freehold advise trace --max-idle 1MiB -o advice.html"},
    command{"record", "Run a program and record its allocations, for `freehold advise`",
            define_record,
            "It needs LTTng, which it starts and stops. Child processes are recorded too.\n"
            "Statically linked programs are not. Exit status: that of the command.\n"
            "Example:\n  freehold record -o trace -- python3 script.py"},
    command{
        "check",
        "Find memory in C++ code that is zeroed in vain, and callbacks that own what keeps them",
        define_check,
        "It reads the compiler's flags from a compilation database, or after --.\n"
        "Exit status: 0 nothing found, 1 an error, 2 something found.\n"
        "Example:\n"
        "  freehold check -p build src/reader.cpp\n"
        "  freehold check reader.cpp -- -std=c++20 -Iinclude"},
    command{
        "handles",
        "Report which lines of a program count owners, the costs, and changes that would help",
        define_handles,
        "It runs the program under Valgrind, which makes it 5 to 15 times slower. With --sample\n"
        "the program runs at its full speed. Build it with -g and optimised.\n"
        "The report goes to standard error. Standard output is the program's.\n"
        "Example:\n"
        "  freehold handles -o handles.html --json handles.json -- ./server --once\n"
        "  freehold handles --sample -- ./server --threads 8"},
    command{"owners",
            "Say who keeps which objects alive, and which are kept alive only by one another",
            define_owners,
            "It recognises std::shared_ptr, and shared_ptr and intrusive_ptr of Boost and of\n"
            "Freehold. With -- it runs a program and looks when it ends: what is then still\n"
            "alive leaked. A process is stopped while its memory is read.\n"
            "Build the program with -g, and do not strip it.\n"
            "Example:\n"
            "  freehold owners 1234 --who Session\n"
            "  freehold owners 1234 --every 60 --looks 30 -o growth.html\n"
            "  freehold owners --core core.1234 --json owners.json\n"
            "  freehold owners -- ./server --once"},
    command{"doctor", "Describe this machine and every reason for noise, each with its remedy",
            define_doctor, "It changes nothing.\nExample:\n  freehold doctor"},
};

/// A text that the program prints instead of running a command. `--help` does not list it.
struct printed_text {
    std::string_view option;
    std::string (*text)(const CLI::App&);
};

constexpr std::array printed_texts{
    printed_text{"--man-page",
                 [](const CLI::App& app) { return freehold::man_page(app, support::version); }},
    printed_text{
        "--bash-completion",
        [](const CLI::App& app) { return freehold::bash_completion(app, FREEHOLD_SUITES); }},
    printed_text{
        "--fish-completion",
        [](const CLI::App& app) { return freehold::fish_completion(app, FREEHOLD_SUITES); }},
};

/// The least number of letters that must be added, removed, replaced or exchanged with their
/// neighbour.
std::size_t edits_between(std::string_view from, std::string_view to) {
    std::vector<std::vector<std::size_t>> edits(from.size() + 1,
                                                std::vector<std::size_t>(to.size() + 1));
    for (std::size_t i = 0; i <= from.size(); ++i) {
        for (std::size_t j = 0; j <= to.size(); ++j) {
            std::size_t& least = edits[i][j];
            if (i == 0 || j == 0) {
                least = i + j;
                continue;
            }
            least = std::min({edits[i - 1][j] + 1, edits[i][j - 1] + 1,
                              edits[i - 1][j - 1] + (from[i - 1] == to[j - 1] ? 0 : 1)});
            if (i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1])
                least = std::min(least, edits[i - 2][j - 2] + 1);
        }
    }
    return edits[from.size()][to.size()];
}

/// The letters of a command or option, without hyphens and an option's value.
std::string letters_of(std::string_view word) {
    word.remove_prefix(std::min(word.find_first_not_of('-'), word.size()));
    std::string letters(word.substr(0, word.find('=')));
    for (char& c : letters)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return letters;
}

/// " (did you mean `NAME`?)", or nothing if no name is near to what was typed.
std::string suggestion(std::string_view typed, const std::vector<std::string>& names) {
    const std::string letters = letters_of(typed);
    const std::string* nearest = nullptr;
    std::size_t least = 0;
    for (const std::string& name : names) {
        const std::string its = letters_of(name);
        const bool is_beginning = !letters.empty() && its.starts_with(letters);
        const std::size_t edits = is_beginning ? 0 : edits_between(letters, its);
        if (edits > std::max(letters.size(), its.size()) / 3) continue;
        if (nearest != nullptr && edits >= least) continue;
        nearest = &name;
        least = edits;
    }
    return nearest == nullptr ? "" : fmt::format(" (did you mean `{}`?)", *nearest);
}

std::vector<std::string> option_names(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::Option* option : app.get_options()) {
        for (const std::string& each : option->get_lnames()) names.push_back("--" + each);
        for (const std::string& each : option->get_snames()) names.push_back("-" + each);
    }
    return names;
}

/// What is wrong with the first word, which is neither a command nor an option of the program.
/// CLI11 would ignore it if `--help` follows.
std::optional<std::string> problem_of_first_word(const CLI::App& app, const std::string& word) {
    std::vector<std::string> names;
    for (const command& each : commands) names.emplace_back(each.name);
    const std::vector<std::string> options = option_names(app);
    names.insert(names.end(), options.begin(), options.end());
    if (std::find(names.begin(), names.end(), word) != names.end()) return std::nullopt;
    for (const printed_text& each : printed_texts) names.emplace_back(each.option);
    names.insert(names.begin(), "help");
    const bool is_option = word.starts_with('-');
    if (is_option)
        std::erase_if(names, [](const std::string& name) { return !name.starts_with('-'); });
    return fmt::format("`{}` is not {}{}", word, is_option ? "an option" : "a command",
                       suggestion(word, names));
}

int usage_error(const std::string& command, const std::string& problem) {
    fmt::print(stderr, "freehold: {}; see `{} --help`\n", problem, command);
    return exit_error;
}

int usage_error(const CLI::App& app, const CLI::ParseError& error) {
    std::string command = "freehold";
    std::vector<std::string> options;
    for (const auto* sub : app.get_subcommands()) {
        command += " " + sub->get_name();
        options = option_names(*sub);
    }
    // CLI11 names other words, too, and looks at missing ones first.
    for (const std::string& each : app.remaining(true))
        if (each.size() > 1 && each.front() == '-' && each != "--")
            return usage_error(
                command, fmt::format("`{}` is not an option{}", each, suggestion(each, options)));
    std::string problem = error.what();
    std::replace(problem.begin(), problem.end(), '\n', ' ');
    return usage_error(command, problem);
}

/// `freehold help` is `freehold --help`, and `freehold help COMMAND` is `freehold COMMAND --help`.
void replace_help(std::vector<char*>& words) {
    static std::string option = "--help";
    if (words.size() < 2 || std::strcmp(words[1], "help") != 0) return;
    while (words.size() > 1 && std::strcmp(words[1], "help") == 0) words.erase(words.begin() + 1);
    words.push_back(option.data());
}

/// Takes the arguments after the `--` of `freehold check` and `freehold owners` out of the
/// arguments. Returns the number of the others.
int take_words_after_dashes(int argc, char** argv) {
    if (argc < 2 || (std::strcmp(argv[1], "check") != 0 && std::strcmp(argv[1], "owners") != 0))
        return argc;
    for (int i = 2; i < argc; ++i) {
        if (std::strcmp(argv[i], "--") != 0) continue;
        words_after_dashes.emplace(argv + i + 1, argv + argc);
        return i;
    }
    return argc;
}

constexpr char first_steps[] =
    "Three commands to begin with:\n"
    "  freehold measure --quick -o results.json       measure this machine, in about six minutes\n"
    "  freehold report results.json -o report.html    show the results\n"
    "  freehold doctor                                list what makes figures noisy here\n"
    "`freehold --help` lists all commands.\n";

/// Prints the lines of a footer as they are; CLI11 2.5 and newer would fill them.
class help_text : public CLI::Formatter {
public:
    std::string make_footer(const CLI::App*) const override { return ""; }

    std::string make_help(const CLI::App* app, std::string name,
                          CLI::AppFormatMode mode) const override {
        std::string text = CLI::Formatter::make_help(app, std::move(name), mode);
        text.erase(text.find_last_not_of(" \n") + 1);
        return text + "\n\n" + app->get_footer() + "\n";
    }
};

/// If standard output is redirected to a full disk, the program must not report success.
int flushed(int status) {
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return status;
    fmt::print(stderr, "freehold: standard output cannot be written: {}\n", std::strerror(errno));
    return exit_error;
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app("Measures what smart pointers, memory pools and caches cost on this machine.",
                 "freehold");
    app.set_version_flag("--version",
                         fmt::format("freehold {} ({})", support::version, support::commit));
    app.require_subcommand(1);
    app.formatter(std::make_shared<help_text>());
    app.footer(
        "Example:\n"
        "  freehold measure -o results.json\n"
        "  freehold report results.json -o report.html\n"
        "  freehold help report\n"
        "Exit status:\n" +
        std::string(freehold::exit_statuses));
    std::vector<std::pair<CLI::App*, action>> actions;
    for (const command& each : commands) {
        auto* parser = app.add_subcommand(each.name, each.what)->footer(each.footer);
        actions.emplace_back(parser, each.define(*parser));
    }

    if (argc == 1) {
        fmt::print("{}", first_steps);
        return flushed(0);
    }
    try {
        for (const auto& [option, text] : printed_texts) {
            if (argc != 2 || argv[1] != option) continue;
            fmt::print("{}", text(app));
            return flushed(0);
        }
        std::vector<char*> words(argv, argv + argc);
        replace_help(words);
        if (const auto problem = problem_of_first_word(app, words[1]))
            return usage_error("freehold", *problem);
        app.parse(take_words_after_dashes(static_cast<int>(words.size()), words.data()),
                  words.data());
        for (const auto& [parser, run] : actions)
            if (parser->parsed()) return flushed(run());
        return exit_error;
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) return flushed(app.exit(error));
        return usage_error(app, error);
    } catch (const std::exception& error) {
        fmt::print(stderr, "freehold: {}\n", error.what());
        return exit_error;
    }
}
