// SPDX-License-Identifier: BSL-1.0
#include "report/report_command.hpp"

#include "report/html.hpp"
#include "report/model.hpp"
#include "report/terminal.hpp"
#include "results/replace_file.hpp"
#include "support/shell_quoted.hpp"

#include <algorithm>
#include <iostream>
#include <system_error>

#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace freehold {

namespace {

/// The page must not replace the measurements that it shows.
void refuse_to_replace_results(const std::vector<std::string>& files, const std::string& page) {
    for (const std::string& file : files) {
        std::error_code unknown;
        if (std::filesystem::equivalent(file, page, unknown)) {
            throw file_error(page + ": is one of the result files; name another file for the page");
        }
    }
}

void refuse_unknown_suites(const std::vector<std::string>& asked, const report_model& model) {
    std::vector<std::string> known;
    for (const auto& section : model.sections) known.push_back(section.id);
    for (const auto& name : asked)
        if (std::find(known.begin(), known.end(), name) == known.end())
            throw result_error(fmt::format("\"{}\" was not measured; these were: {}", name,
                                           fmt::join(known, ", ")));
}

}  // namespace

void write_page(const result_file& results, const std::filesystem::path& file,
                const std::filesystem::path& page) {
    refuse_to_replace_results({file.string()}, page.string());
    const auto model = build_report({{file.stem().string(), results}});
    replace_file(page, html_page(to_json(model)));
}

int report_command(const report_options& options) {
    const std::vector<std::string> labels = labels_for(options.files);
    std::vector<labelled_results> results;
    for (std::size_t i = 0; i < options.files.size(); ++i) {
        results.push_back({labels[i], load_results(options.files[i])});
    }
    const std::string page = options.page.value_or("report.html");
    refuse_to_replace_results(options.files, page);
    const report_model model = build_report(results, options.all);
    refuse_unknown_suites(options.suites, model);
    const auto style = style_of_standard_output();
    if (options.aims) {
        for (const auto& table : model.aims) {
            print_table(std::cout, table, style);
            std::cout << '\n';
        }
        return 0;
    }
    // The page is written first, so that it exists even if the reader of the output closes its
    // pipe.
    replace_file(page, html_page(to_json(model)));
    print_summary(std::cout, model, style);
    for (const auto& section : model.sections) {
        const auto& asked = options.suites;
        const bool is_asked = std::find(asked.begin(), asked.end(), section.id) != asked.end();
        if (options.all || is_asked) print_section(std::cout, section, model.subjects, style);
    }
    std::cout << "The page, with plots: " << page << '\n';
    if (!options.all && options.suites.empty() && !model.sections.empty()) {
        std::vector<std::string> files;
        for (const std::string& each : options.files) files.push_back(support::shell_quoted(each));
        std::cout << fmt::format(
            "Tables: `freehold report {} --suite {}`, or --all. Two runs: `freehold compare BASE "
            "NEW`.\n",
            fmt::join(files, " "), model.sections.back().id);
    }
    std::cout << std::flush;
    return 0;
}

}  // namespace freehold
