// SPDX-License-Identifier: BSL-1.0
#include "check/check_command.hpp"

#include "check/clang_tidy.hpp"
#include "check/filler_proposals.hpp"
#include "check/findings.hpp"
#include "check/zeroing_cost.hpp"
#include "results/replace_file.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <fstream>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <tuple>

#include <fmt/format.h>
#include <unistd.h>

namespace freehold {
namespace fs = std::filesystem;

namespace {

constexpr int nothing_found = 0;
constexpr int not_checked = 1;
constexpr int something_found = 2;

/// Checks the files in parallel, and returns the results in the order of the files.
std::vector<tidy_run> run_all(const clang_tidy& tool, const check_options& options,
                              const fs::path& project) {
    std::vector<tidy_run> runs(options.files.size());
    std::atomic<std::size_t> next{0};
    std::mutex mutex;  // guards the variables below, and standard error
    std::size_t done = 0;
    std::exception_ptr problem;
    const bool shows_progress = ::isatty(STDERR_FILENO) == 1;
    const auto work = [&] {
        // Relaxed: the counter only distributes the files among the threads.
        for (std::size_t i = next.fetch_add(1, std::memory_order_relaxed); i < runs.size();
             i = next.fetch_add(1, std::memory_order_relaxed)) {
            try {
                runs[i] = run_clang_tidy(tool, options, options.files[i], project, false);
            } catch (...) {
                const std::lock_guard lock(mutex);
                problem = std::current_exception();
                return;
            }
            const std::lock_guard lock(mutex);
            ++done;
            if (shows_progress)
                fmt::print(stderr, "\r\033[K[{}/{}] {}{}", done, runs.size(),
                           options.files[i].filename().string(),
                           done == runs.size() ? "\r\033[K" : "");
        }
    };
    const std::size_t count =
        std::min<std::size_t>(std::max(1U, std::thread::hardware_concurrency()), runs.size());
    std::vector<std::thread> threads;
    for (std::size_t i = 1; i < count; ++i) threads.emplace_back(work);
    work();
    for (std::thread& each : threads) each.join();
    if (problem) std::rethrow_exception(problem);
    return runs;
}

bool has_own_options(const fs::path& configuration) {
    std::ifstream file(configuration);
    for (std::string line; std::getline(file, line);)
        if (line.find("freehold-") != std::string::npos) return true;
    return false;
}

void print_summary_of_zeroing(const std::vector<finding>& findings, const check_options& options) {
    struct total {
        std::size_t count = 0;
        std::uint64_t bytes = 0;
        std::set<std::string> amounts;
    };
    std::map<std::string, total> constructs;
    std::uint64_t all_bytes = 0;
    std::size_t count = 0;
    for (const finding& each : findings) {
        if (each.check != zeroing_rule.name) continue;
        ++count;
        total& of = constructs[each.construct];
        ++of.count;
        of.bytes += each.bytes;
        if (each.bytes == 0) of.amounts.insert(each.amount);
        all_bytes += each.bytes;
    }
    if (count == 0) return;
    fmt::print("{} finding{} of hidden zeroing:\n", count, count == 1 ? "" : "s");
    for (const auto& [name, of] : constructs) {
        std::string amount;
        if (of.bytes != 0) amount = fmt::format("{} bytes", of.bytes);
        for (const std::string& each : of.amounts) amount += (amount.empty() ? "" : ", ") + each;
        fmt::print("  {:>4}  {}: {}\n", of.count, name, amount);
    }
    if (!options.results) return;
    const auto seconds = seconds_per_gibibyte_zeroed(*options.results);
    if (!seconds) {
        fmt::print("{} has no figures of the suite `zeroing`.\n", options.results->string());
        return;
    }
    constexpr double gibibyte = 1 << 30;
    fmt::print("Zeroing takes {:.3f} s per GiB on the machine of {}", *seconds,
               options.results->string());
    if (all_bytes != 0)
        fmt::print(": {:.3g} µs each time for what has a known size",
                   static_cast<double>(all_bytes) / gibibyte * *seconds * 1e6);
    fmt::print(".\n");
}

void print_summary(const std::vector<finding>& findings, const check_options& options) {
    print_summary_of_zeroing(findings, options);
    const auto rings = std::count_if(findings.begin(), findings.end(), [](const finding& each) {
        return each.check == ring_rule.name;
    });
    if (rings != 0)
        fmt::print("{} finding{} of callbacks that own what keeps them.\n", rings,
                   rings == 1 ? "" : "s");
}

}  // namespace

int check_command(const check_options& given) {
    check_options options = given;
    const clang_tidy tool = find_clang_tidy();
    for (const fs::path& file : options.files) {
        std::error_code none;
        if (!fs::is_regular_file(file, none))
            throw check_error(fmt::format("{}: is not a file", file.string()));
    }
    std::vector<std::string> errors;
    std::erase_if(options.files, [&](const fs::path& file) {
        if (is_cpp(options, file)) return false;
        errors.push_back(
            fmt::format("{}: is C, and the check reads C++ (the flags -x c++ would make it so)",
                        file.string()));
        return true;
    });
    const fs::path project = project_of(given.files.front());
    std::vector<finding> findings;
    std::vector<fs::path> files_to_fix;
    // A finding in a header appears in each file that includes it.
    std::map<std::tuple<std::string, std::string, int, int>, std::size_t> seen;
    std::vector<promised_finding> promised;
    std::vector<std::string> options_so_far;  // FillFunctions of each file
    std::set<unread_configuration> unread;
    const std::vector<tidy_run> runs = run_all(tool, options, project);
    for (std::size_t i = 0; i < runs.size(); ++i) {
        tidy_output output =
            parse_tidy_output(runs[i].output, folders_of_names(options, options.files[i]));
        for (finding& each : output.findings)
            if (const auto [found, is_new] = seen.try_emplace(
                    {each.check, each.file, each.line, each.column}, findings.size());
                is_new)
                findings.push_back(each);
            else
                add_uses(findings[found->second], each);
        promised.insert(promised.end(), output.promised.begin(), output.promised.end());
        if (!output.fill_functions.empty()) options_so_far.push_back(output.fill_functions);
        for (const std::string& each : output.gave_up)
            fmt::print(stderr, "freehold: {} took too long, and findings may be missing\n", each);
        if (runs[i].status != 0 && output.errors.empty() && !output.has_foreign_flags)
            output.errors.push_back(fmt::format("{}: {} ended with status {}: {}",
                                                options.files[i].string(), tool.executable,
                                                runs[i].status, runs[i].output));
        if (!output.findings.empty() && output.errors.empty())
            files_to_fix.push_back(options.files[i]);
        errors.insert(errors.end(), output.errors.begin(), output.errors.end());
        unread.insert(output.unread.begin(), output.unread.end());
    }
    const bool all_checked = errors.empty();
    for (const unread_configuration& each : unread) {
        const std::string told = fmt::format("{}:{}: {}: {} ignores this whole file", each.file,
                                             each.line, each.reason, tool.executable);
        if (has_own_options(each.file))
            errors.push_back(told + ", and so the options of freehold in it");
        else
            fmt::print(stderr, "freehold: {}\n", told);
    }
    const std::vector<filler_proposal> proposals = proposals_of(promised, findings);
    if (options.json) {
        fmt::print("{}", as_json(findings, proposals, errors));
    } else {
        for (const finding& each : findings) fmt::print("{}", each.text);
        if (!findings.empty()) print_summary(findings, options);
        fmt::print("{}", text_of(proposals, options_so_far));
    }
    for (const std::string& each : errors) fmt::print(stderr, "freehold: {}\n", each);
    if (options.sarif) replace_file(*options.sarif, as_sarif(findings));
    // The files are fixed one after another, because two files may include the same header.
    if (options.fix)
        for (const fs::path& file : files_to_fix)
            run_clang_tidy(tool, options, file, project, true);
    if (!all_checked)
        fmt::print(stderr,
                   "freehold: not every file was checked: in a file that clang cannot compile, "
                   "findings may be missing, and nothing is fixed\n");
    if (!errors.empty()) return not_checked;
    return findings.empty() ? nothing_found : something_found;
}

}  // namespace freehold
