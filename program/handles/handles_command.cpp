// SPDX-License-Identifier: BSL-1.0
#include "handles/handles_command.hpp"

#include "code/code_map.hpp"
#include "code/known_handles.hpp"
#include "handles/advice.hpp"
#include "handles/counted_lines.hpp"
#include "handles/handles_file.hpp"
#include "handles/handles_report.hpp"
#include "handles/handles_run.hpp"
#include "handles/handles_terminal.hpp"
#include "handles/plain_run.hpp"
#include "handles/sampled_lines.hpp"
#include "report/html.hpp"
#include "results/replace_file.hpp"
#include "support/process.hpp"
#include "support/programs.hpp"
#include "support/signal_watch.hpp"
#include "support/temporary_folder.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <ctime>
#include <fstream>
#include <system_error>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace freehold {
namespace {

namespace fs = std::filesystem;

/// Finds a program as a shell does. Returns an empty path if there is none.
fs::path in_path(const std::string& name) {
    if (name.find('/') != std::string::npos) return name;
    return support::find_program(name).value_or(fs::path());
}

/// Returns the first five bytes of a file.
std::string beginning_of(const fs::path& file) {
    std::string head(5, '\0');
    std::ifstream(file, std::ios::binary).read(head.data(), 5);
    return head;
}

bool is_elf(const std::string& head) {
    return head.starts_with("\177ELF");
}

/// Returns whether a program has debug information. Of a script, this is not known.
bool can_show_lines([[maybe_unused]] const std::string& program) {
#ifdef FREEHOLD_HANDLES_SAMPLE
    return !is_elf(beginning_of(in_path(program))) || has_debug_information(in_path(program));
#else
    return true;
#endif
}

/// Before a run that may take long.
void warn_of_missing_lines(const std::string& program) {
    if (!can_show_lines(program))
        fmt::print(stderr,
                   "freehold: {} has no debug information: its lines, and what is counted in its "
                   "inline functions, cannot be told; interrupt it, and build it with -g\n",
                   program);
}

void refuse_what_cannot_be_counted(const std::string& program) {
    const fs::path file = in_path(program);
    std::error_code none;
    if (file.empty() || !fs::is_regular_file(file, none))
        throw handles_error(fmt::format("{}: does not exist", program));
    if (::access(file.c_str(), X_OK) != 0)
        throw handles_error(fmt::format("{}: cannot be run: {}", program, std::strerror(errno)));
    const std::string head = beginning_of(file);
    if (is_elf(head) && head[4] != 2)
        throw handles_error(
            fmt::format("{}: is a 32-bit program; only 64-bit programs can be counted", program));
}

fs::path tool_folder() {
    const fs::path folder = support::folder_of_parts("handles", FREEHOLD_INSTALLED_TOOL);
    std::error_code none;
    if (!fs::exists(folder / "freehold_handles-amd64-linux", none))
        throw handles_error(
            fmt::format("{}: the Valgrind tool is missing; scripts/install of Freehold builds and "
                        "installs it",
                        folder.string()));
    return folder;
}

/// Links the files of Valgrind's core and the tool's into one folder, because Valgrind expects all
/// in one. Most of Valgrind's files are for other tools or for gdb.
fs::path linked_together(const fs::path& run, const fs::path& tool) {
    const fs::path folder = run / "lib";
    fs::create_directory(folder);
    const auto link = [&folder](const fs::path& file) {
        std::error_code is_there;
        fs::create_symlink(file, folder / file.filename(), is_there);
    };
    for (const auto& each : fs::directory_iterator(FREEHOLD_VALGRIND_LIBEXEC)) {
        const std::string name = each.path().filename().string();
        if (name == "default.supp" || name.rfind("vgpreload_core", 0) == 0) link(each.path());
    }
    for (const auto& each : fs::directory_iterator(tool)) link(each.path());
    return folder;
}

support::ended_child count(const handles_options& options, const fs::path& run,
                           const fs::path& tool, const support::signal_watch& signals) {
    if (!support::find_program("valgrind"))
        throw handles_error(
            "valgrind is not installed; scripts/install of Freehold installs it (Debian and "
            "Ubuntu: apt-get install valgrind)");
    support::program_to_start child;
    child.environment = {"VALGRIND_LIB=" + linked_together(run, tool).string()};
    child.command = {
        "valgrind", "-q", "--tool=freehold_handles", "--vgdb=no",
        // The tool asks for callers where it counts, and its calls say so.
        "--vex-iropt-register-updates=sp-at-mem-access", "--log-file=" + (run / "log.%p").string(),
        fmt::format("--trace-children={}", options.children ? "yes" : "no"),
        "--freehold-folder=" + run.string(), "--freehold-sites=" + (tool / "sites").string()};
    child.command.insert(child.command.end(), options.command.begin(), options.command.end());
    child.mask = signals.mask_before();
    return support::wait_while_passing_on(support::start(child), signals);
}

std::string end_text(int status) {
    if (status <= 128) return fmt::format("ended with status {}", status);
    return fmt::format("was ended by signal {} ({})", status - 128, ::strsignal(status - 128));
}

/// Returns Valgrind's error message, or an empty text if there is none.
std::string complaint_of_valgrind(const fs::path& run) {
    for (const auto& each : fs::directory_iterator(run)) {
        if (each.path().filename().string().rfind("log.", 0) != 0) continue;
        std::ifstream log(each.path());
        for (std::string line; std::getline(log, line);) {
            constexpr std::string_view speaker = "algrind: ";
            const auto at = line.find(speaker);
            if (at == std::string::npos) continue;
            std::string said = line.substr(at + speaker.size());
            while (!said.empty() && (said.back() == ':' || said.back() == '.')) said.pop_back();
            return "; Valgrind says: " + said;
        }
    }
    return {};
}

/// The share of the run is known only if both runs did the same work.
void add_share(handles_run& run, const std::optional<plain_run>& plain, bool was_asked) {
    if (!plain)
        run.why_no_share = "add --plain-run, which also runs the program without Valgrind";
    else if (plain->was_asked || was_asked)
        run.why_no_share = "the program was asked to end, so its two runs differ";
    else if (run.counts.reads_input && ::lseek(STDIN_FILENO, 0, SEEK_CUR) < 0)
        run.why_no_share =
            "the program reads its standard input, and only a file can be read twice; add < FILE";
    else
        run.cpu_seconds = plain->cpu_seconds;
}

void refuse_what_is_not_built(bool sample) {
    constexpr std::string_view lacking = FREEHOLD_HANDLES_LACKS;
    if (!sample && !lacking.empty())
        throw handles_error(
            fmt::format("this build cannot count, because {} was missing; scripts/install of "
                        "Freehold installs it, and builds the program again",
                        lacking));
#ifndef FREEHOLD_HANDLES_SAMPLE
    if (sample)
        throw handles_error(
            "this build cannot sample: it is not for x86-64, or libdw-dev was missing; "
            "scripts/install of Freehold installs it, and builds the program again");
#endif
}

/// Waits for processes that the program left behind. They are children of this process now. Their
/// counts are complete when they end.
void wait_for_daemons(const support::signal_watch& signals) {
    constexpr std::chrono::milliseconds pause{200};
    for (bool is_told = false;;) {
        const pid_t ended = ::waitpid(-1, nullptr, WNOHANG);
        if (ended < 0) return;
        if (ended > 0) continue;
        const auto signal = signals.next(pause);
        if (signal && support::signal_watch::is_request_to_end(signal->si_signo)) return;
        if (!is_told && !signal)
            fmt::print(stderr,
                       "freehold: the program left processes behind that still run; the report "
                       "waits until they end, or until an interrupt (Ctrl-C)\n");
        is_told = is_told || !signal;
    }
}

handles_run counted_run(const handles_options& options, const support::signal_watch& signals) {
    const fs::path tool = tool_folder();
    const support::temporary_folder run("handles");
    if (!options.describe.empty()) fs::copy_file(options.describe, run / "describe.json");
    std::optional<plain_run> plain;
    if (options.plain_run) plain = run_plainly(options.command, signals);
    handles_run result;
    result.command = options.command;
    const support::ended_child end = count(options, run.path(), tool, signals);
    result.exit_status = end.status;
    if (!end.was_asked) wait_for_daemons(signals);
#ifdef FREEHOLD_HANDLES_COUNT
    result.counts = read_counts(run.path(), options.describe);
    name_files(result.counts.lines);
#endif
    if (options.children) result.counts.left_out_programs = false;
    if (result.counts.processes == 0)
        throw handles_error(fmt::format("{}: left no counts: it {}{}", options.command.front(),
                                        end_text(end.status), complaint_of_valgrind(run.path())));
    result.costs = measure_operations();
    add_share(result, plain, end.was_asked);
    return result;
}

handles_run run_of(const handles_options& options, const support::signal_watch& signals) {
#ifdef FREEHOLD_HANDLES_SAMPLE
    if (options.sample) return sample_run(options.command, options.describe, signals);
#endif
    return counted_run(options, signals);
}

/// So that no run is lost to an output that cannot be written after it.
void refuse_what_cannot_be_written(const handles_options& options) {
    for (const auto& each : {options.json, options.page})
        if (each) require_replaceable(*each);
    if (options.json && options.page && *options.json == *options.page)
        throw handles_error(fmt::format("{}: is given to both -o and --json; give them two files",
                                        options.page->string()));
}

/// Returns what could not be written, and why.
std::vector<std::string> write_files(const handles_options& options, const handles_run& run,
                                     const given_advice& advice) {
    std::vector<std::string> problems;
    const auto attempt = [&problems](const auto& write) {
        try {
            write();
        } catch (const std::exception& error) {
            problems.emplace_back(error.what());
        }
    };
    if (options.json) attempt([&] { save_run(run, advice, *options.json); });
    if (options.page)
        attempt([&] {
            const std::string now =
                fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
            replace_file(*options.page, html_page(to_json(handles_report(run, advice, now))));
        });
    return problems;
}

std::string text_of(const handles_run& run, const given_advice& advice) {
    if (!run.counts.lines.empty()) return terminal_text(run, advice);
    return fmt::format(
        "{} {} owners: {}\n", run.command.front(),
        run.sampled ? "has no sample at an instruction that counts" : "counted no",
        run.counts.left_out_programs
            ? "it starts other programs, which were not counted; add --children"
        : can_show_lines(run.command.front())
            ? "it used none of the known handles (docs/handles.md: --describe adds handles)"
            : "it has no debug information, which is needed to recognise inline functions; build "
              "it with -g, and do not strip it");
}

}  // namespace

int handles_command(const handles_options& options) {
    refuse_what_is_not_built(options.sample);
    refuse_what_cannot_be_counted(options.command.front());
    refuse_what_cannot_be_written(options);
    if (!options.describe.empty()) known_handles(options.describe);
    warn_of_missing_lines(options.command.front());
    ::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    const support::signal_watch signals;
    const handles_run result = run_of(options, signals);
    if (result.exit_status != 0)
        fmt::print(stderr, "freehold: {} {}; its run until then is {}\n", options.command.front(),
                   end_text(result.exit_status), result.sampled ? "sampled" : "counted");
    const given_advice advice = advise_on(result);
    // The files are written before anything is printed. So they exist even if the reader of the
    // report closes the pipe.
    const std::vector<std::string> problems = write_files(options, result, advice);
    // Standard output is the program's.
    fmt::print(stderr, "{}", text_of(result, advice));
    if (!problems.empty()) throw handles_error(fmt::format("{}", fmt::join(problems, "; ")));
    return 0;
}

}  // namespace freehold
