// SPDX-License-Identifier: BSL-1.0
#include "owners/owners_command.hpp"

#include "report/html.hpp"
#include "results/replace_file.hpp"
#include "support/signal_watch.hpp"

#ifdef FREEHOLD_OWNERS_LOOK
#include "owners/core_image.hpp"
#include "owners/glibc_heap.hpp"
#include "owners/owner_graph.hpp"
#include "owners/owners_file.hpp"
#include "owners/owners_findings.hpp"
#include "owners/owners_page.hpp"
#include "owners/owners_terminal.hpp"
#include "owners/process_image.hpp"
#endif

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <stdexcept>

#include <fmt/chrono.h>
#include <fmt/format.h>

namespace freehold {

#ifndef FREEHOLD_OWNERS_LOOK

int owners_command(const owners_options&) {
    throw std::runtime_error(
        fmt::format("this build cannot look at programs: it lacks {}; scripts/install of Freehold "
                    "installs what it takes, and builds the program again",
                    FREEHOLD_OWNERS_LACKS));
}

#else

namespace {

/// Returns 0 if the text is no number of a process.
pid_t process_of(const std::string& text) {
    pid_t result = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), result);
    return parsed.ec == std::errc() && parsed.ptr == text.data() + text.size() ? result : 0;
}

void refuse_wrong_options(const owners_options& options) {
    const int given = (options.process.empty() ? 0 : 1) + (options.core.empty() ? 0 : 1) +
                      (options.command.empty() ? 0 : 1);
    if (given != 1)
        throw owners_error(
            "give a process's number, or --core CORE, or -- PROGRAM ARGS...; one of the three");
    if (!options.program.empty() && options.core.empty())
        throw owners_error("--exe names the program of a core; give the core by --core");
    if (options.every && options.process.empty())
        throw owners_error("--every looks at a running process several times; give its number");
    if (options.page && options.json && *options.page == *options.json)
        throw owners_error("-o and --json name the same file; give each its own");
    if (!options.process.empty() && process_of(options.process) <= 0)
        throw owners_error(
            fmt::format("{}: is no number of a process; to run a program, write `freehold owners "
                        "-- {}`",
                        options.process, options.process));
}

/// A program that ends has run for nothing if its files are of no use.
void refuse_without_symbols(const program_modules& modules, const memory_image& image) {
    if (!modules.has_file(image.program))
        throw owners_error(fmt::format(
            "{}: cannot be opened, or was replaced since it was started; run freehold as root, or "
            "in the container of the process, or start the program again",
            image.program.string()));
    if (!modules.has_symbols(image.program))
        throw owners_error(fmt::format(
            "{}: has no symbols, by which types are recognised; do not strip it, or install its "
            "debug information",
            image.program.string()));
}

owners_report report_of(const memory_image& image, const glibc_heap& heap,
                        const owners_options& options) {
    owners_report result;
    result.incomplete = image.incomplete;
    result.incomplete.insert(result.incomplete.end(), heap.incomplete.begin(),
                             heap.incomplete.end());
    const program_modules modules(image, result.incomplete);
    const std::vector<known_handle> known = known_handles();
    type_layouts types(modules, known);
    block_kinds kinds = find_block_kinds(modules, types, known);
    if (kinds.all.empty()) refuse_without_symbols(modules, image);
    for (const std::string& each : kinds.not_understood)
        result.incomplete.push_back(fmt::format(
            "the program has {}, which is not understood: what only such handles own is not "
            "counted",
            each));
    object_walker walker(image, heap, modules, types);
    const owner_graph graph = find_owners(image, heap, kinds, modules, types, walker);
    result.incomplete.insert(result.incomplete.end(), graph.incomplete.begin(),
                             graph.incomplete.end());
    result.program = image.program.filename().string();
    result.memory_bytes = image.size();
    result.stopped_seconds = image.stopped_seconds;
    result.types = types_in(graph);
    result.rings = rings_in(graph, walker, types);
    if (options.who) result.who = holders_of(*options.who, graph, modules, walker.ways());
    if (options.page) add_paths(result.types, most_rows_of_page, graph, modules, walker.ways());
    return result;
}

owners_report report_of_process(const owners_options& options) {
    // It may have been stopped within malloc.
    constexpr int attempts = 3;
    memory_image image;
    glibc_heap heap;
    for (int i = 0; i != attempts && (i == 0 || !heap.incomplete.empty()); ++i) {
        image = {};
        image = image_of_process(process_of(options.process));
        heap = read_glibc_heap(image);
        if (!heap.is_found) break;
    }
    return report_of(image, heap, options);
}

/// Looks several times. A signal to end, or the end of the process, ends it after the look before.
owners_report report_of_looks(const owners_options& options) {
    const support::signal_watch signals;
    const auto begin = std::chrono::steady_clock::now();
    owners_report result;
    std::vector<owners_look> looks;
    for (std::size_t i = 0; i != options.looks; ++i) {
        const auto wanted =
            begin + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                        std::chrono::duration<double>(*options.every * static_cast<double>(i)));
        for (auto now = std::chrono::steady_clock::now(); now < wanted;
             now = std::chrono::steady_clock::now()) {
            const auto signal =
                signals.next(std::chrono::ceil<std::chrono::milliseconds>(wanted - now));
            if (!signal || !support::signal_watch::is_request_to_end(signal->si_signo)) continue;
            i = options.looks;
            break;
        }
        if (i == options.looks) break;
        const std::chrono::duration<double> since = std::chrono::steady_clock::now() - begin;
        try {
            result = report_of_process(options);
        } catch (const owners_error& error) {
            if (looks.empty()) throw;
            result.incomplete.push_back(
                fmt::format("only {} of {} looks: {}", looks.size(), options.looks, error.what()));
            break;
        }
        looks.push_back({looks.empty() ? 0 : since.count(), result.types});
        fmt::print(stderr, "freehold: look {} of {}\n", i + 1, options.looks);
    }
    result.looks = std::move(looks);
    return result;
}

std::string time_now() {
    return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
}

}  // namespace

int owners_command(const owners_options& options) {
    refuse_wrong_options(options);
    for (const auto& each : {options.json, options.page})
        if (each) require_replaceable(*each);
    owners_report report;
    if (options.every) {
        report = report_of_looks(options);
    } else if (!options.process.empty()) {
        report = report_of_process(options);
    } else if (!options.core.empty()) {
        const memory_image image = image_of_core(options.core, options.program);
        report = report_of(image, read_glibc_heap(image), options);
    } else {
        const support::signal_watch signals;
        const program_at_end end = image_at_end(options.command, signals);
        report = report_of(end.image, read_glibc_heap(end.image), options);
        report.is_at_end = true;
        if (end.status != 0)
            fmt::print(stderr, "freehold: {} ended with status {}\n", options.command.front(),
                       end.status);
    }
    if (options.json) save_owners(report, *options.json);
    if (options.page)
        replace_file(*options.page, html_page(to_json(owners_page(report, time_now()))));
    // If freehold ran the program, standard output is the program's.
    fmt::print(report.is_at_end ? stderr : stdout, "{}", terminal_text(report, options.top));
    return 0;
}

#endif

}  // namespace freehold
