// SPDX-License-Identifier: BSL-1.0
// The page docs/hidden_zeroing.md, made of the probes of every lab that is built.
#pragma once

#include "lab/lab_output.hpp"
#include "lab_paths.hpp"
#include "probes/hidden_zeroing/page.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

namespace lab_tests {

inline std::string read_text(const std::filesystem::path& file) {
    std::ifstream in(file);
    if (!in) throw std::runtime_error("cannot read " + file.string());
    return {std::istreambuf_iterator<char>(in), {}};
}

inline std::string output_of(const std::string& path, const std::string& arguments) {
    const outcome run = run_command(path, arguments);
    if (run.status != 0)
        throw std::runtime_error(path + " ended with status " + std::to_string(run.status));
    return run.output;
}

/// Throws std::runtime_error if a lab has no probes, or one of them or objdump fails.
inline lab::page_sources sources_of_page(const std::filesystem::path& folder) {
    std::vector<lab::column> columns;
    std::vector<lab::disassembly> codes;
    std::filesystem::path fixed;
    for (const built_lab& each : built_labs) {
        const auto build = std::filesystem::path(each.path).parent_path();
        for (const std::string library : {"", "-libc++"}) {
            const auto probe = [&](const std::string& name) {
                return (build / "probes" / (name + library)).string();
            };
            if (!library.empty() && !std::filesystem::exists(probe("constructs"))) continue;
            codes.emplace_back(output_of("objdump", "-drw '" + probe("constructs") + ".o' '" +
                                                        probe("constructs_cpp23") + ".o'"));
            columns.push_back(lab::read_column(output_of(probe("constructs"), ""), codes.back()));
            if (!columns.back().clang_tidy.empty()) fixed = build / "fixed";
        }
    }
    if (columns.empty()) throw std::runtime_error("no lab is built");
    lab::page_sources sources{read_text(folder / "page.md.in"),
                              read_text(folder / "lines.hpp"),
                              columns,
                              codes.front(),
                              {},
                              {}};
    for (const auto& file : std::filesystem::directory_iterator(folder / "lint")) {
        const std::string check = file.path().stem();
        sources.as_written[check] = read_text(file.path());
        sources.as_fixed[check] = fixed.empty() ? "" : read_text(fixed / file.path().filename());
    }
    return sources;
}

}  // namespace lab_tests
