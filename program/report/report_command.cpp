// SPDX-License-Identifier: BSL-1.0
#include "report/report_command.hpp"

#include "report/html.hpp"
#include "report/model.hpp"
#include "report/terminal.hpp"
#include "results/replace_file.hpp"
#include "results/result_file.hpp"

#include <cstddef>
#include <filesystem>
#include <iostream>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include <nlohmann/json.hpp>

namespace freehold {

namespace {

/// The page must never take the place of the measurements that it shows.
void refuse_to_replace_results(const std::vector<std::string>& files, const std::string& page) {
    for (const std::string& file : files) {
        std::error_code unknown;
        if (std::filesystem::equivalent(file, page, unknown)) {
            throw file_error(page + ": is one of the result files; name another file for the page");
        }
    }
}

}  // namespace

int report_command(std::vector<std::string> files, std::optional<std::string> html_output) {
    const std::vector<std::string> labels = labels_for(files);
    std::vector<labelled_results> results;
    for (std::size_t i = 0; i < files.size(); ++i) {
        results.push_back({labels[i], load_results(files[i])});
    }
    const std::string page = html_output.value_or("report.html");
    refuse_to_replace_results(files, page);

    const report_model model = build_report(results);
    // First the page: who reads only the head of the tables still gets it.
    replace_file(page, html_page(to_json(model)));
    print_report(std::cout, model, style_of_standard_output());
    std::cout << "\nThe same with plots: " << page << '\n' << std::flush;
    return 0;
}

}  // namespace freehold
