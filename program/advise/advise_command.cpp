// SPDX-License-Identifier: BSL-1.0
#include "advise/advise_command.hpp"

#include "advise/advice.hpp"
#include "advise/advice_report.hpp"
#include "advise/trace.hpp"
#include "report/html.hpp"
#include "report/terminal.hpp"
#include "results/replace_file.hpp"

#include <chrono>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <iostream>
#include <memory>
#include <system_error>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace freehold {

namespace {

/// One line that is rewritten. It appears only on a terminal.
class progress_line {
public:
    progress_line() : rewrites_(isatty(STDERR_FILENO) != 0) {}
    progress_line(const progress_line&) = delete;
    progress_line& operator=(const progress_line&) = delete;
    ~progress_line() {
        if (shown_) fmt::print(stderr, "\r\x1b[K");
    }

    void show(const std::string& doing, double share) {
        const auto now = std::chrono::steady_clock::now();
        if (!rewrites_ || (shown_ && now - last_ < std::chrono::milliseconds(100))) return;
        fmt::print(stderr, "\r\x1b[K{} {:.0f} %", doing, 100 * share);
        std::fflush(stderr);
        last_ = now;
        shown_ = true;
    }

private:
    bool rewrites_;
    bool shown_ = false;
    std::chrono::steady_clock::time_point last_{};
};

/// The page must not replace the trace that it was made from.
void refuse_to_replace_trace(const std::string& trace, const std::string& page) {
    std::error_code unknown;
    if (std::filesystem::equivalent(trace, page, unknown)) {
        throw file_error(page + ": is the trace; name another file for the page");
    }
}

advice advise_on(const advise_options& options) {
    // The process starts first, while the heap is like that of a program that has just begun.
    allocator_process player;
    const measured_costs costs = measure_costs();
    const std::unique_ptr<trace_reader> trace = open_trace(options.trace);
    progress_line line;
    return advise(
        *trace, {options.min_size, options.max_idle}, costs,
        [&](const std::string& doing, double share) { line.show(doing, share); }, &player);
}

}  // namespace

int advise_command(const advise_options& options) {
    const std::string page = options.html.value_or("advice.html");
    refuse_to_replace_trace(options.trace, page);
    const advice given = advise_on(options);
    const advice_origin origin{
        options.trace, fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)))};
    const report_model model = advice_report(given, origin);
    // The page is written first. A user that reads only the first lines of the tables still gets
    // it.
    replace_file(page, html_page(to_json(model)));
    print_report(std::cout, model, style_of_standard_output());
    std::cout << "The same with plots: " << page << '\n' << std::flush;
    return 0;
}

}  // namespace freehold
