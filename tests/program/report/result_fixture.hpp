// SPDX-License-Identifier: BSL-1.0
// Result files made up for tests: every figure is chosen, so that what the report must say is
// known.
#pragma once

#include "report/model.hpp"
#include "results/result_file.hpp"

#include <cstdint>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

namespace freehold::test {

/// Three processes of five repetitions, spread evenly by this share of the value either way: the
/// median of each process and of all is the value itself.
inline std::vector<std::vector<double>> spread_samples(double value, double share = 0.01) {
    std::vector<std::vector<double>> samples;
    for (int process = 0; process != 3; ++process) {
        std::vector<double> repetitions;
        for (int step = -2; step <= 2; ++step) {
            repetitions.push_back(value * (1 + share * step / 2.0));
        }
        samples.push_back(std::move(repetitions));
    }
    return samples;
}

/// The description of a suite as the lab has it: lab/suites/SUITE/suite.json.
inline suite_description described(const std::string& suite) {
    const auto path = std::string(FREEHOLD_SUITES) + "/" + suite + "/suite.json";
    std::ifstream file(path);
    if (!file) throw std::runtime_error("there is no " + path);
    const auto document = nlohmann::json::parse(file);
    return suite_description_from(json_node(document));
}

class results_builder {
public:
    explicit results_builder(const std::vector<std::string>& labs = {"g++"}) {
        file_.created = "2026-01-02T03:04:05Z";
        file_.mode = "default";
        file_.library = {"0.1.0", std::nullopt};
        file_.environment.facts = {{"processor", "Example 1"}, {"load", "0.1"}};
        for (const auto& lab : labs) file_.labs.push_back({lab, lab + " 12.2", "-O3", "libstdc++"});
        file_.families = {{"lower_bound", "Lower bounds"},
                          {"strategy", "Strategies of 2000"},
                          {"freehold", "Freehold"},
                          {"policy", "Policies of 2006"},
                          {"standard", "Standard"},
                          {"boost", "Boost"},
                          {"other", "Others"}};
    }

    /// A subject that nobody introduced is one of `Others`, called by its key.
    results_builder& introduce(subject which) {
        file_.subjects.push_back(std::move(which));
        return *this;
    }

    results_builder& timed(const std::string& suite, measurement cell, double value,
                           double share = 0.01) {
        cell.samples = spread_samples(value, share);
        return add(suite, std::move(cell));
    }

    results_builder& exact(const std::string& suite, measurement cell, double value) {
        cell.samples = {{value}};
        cell.exact = true;
        return add(suite, std::move(cell));
    }

    /// The case `hold` of one subject, exactly on a line.
    results_builder& held(const std::string& subject, double start, double slope,
                          const std::string& process = "threaded", const std::string& lab = {},
                          double share = 0.01) {
        for (const std::int64_t n : {0, 2, 4, 8, 16, 32}) {
            timed("operations", cell_of(subject, "hold", "ns", process, lab, n),
                  start + slope * static_cast<double>(n), share);
        }
        return *this;
    }

    static measurement cell_of(const std::string& subject, const std::string& test_case,
                               const std::string& unit, const std::string& process = {},
                               const std::string& lab = {},
                               std::optional<std::int64_t> n = std::nullopt) {
        measurement cell;
        cell.lab = lab;
        cell.process = process;
        cell.subject = subject;
        cell.test_case = test_case;
        cell.unit = unit;
        cell.n = n;
        return cell;
    }

    result_file& file() { return file_; }
    [[nodiscard]] const result_file& file() const { return file_; }

private:
    results_builder& add(const std::string& suite, measurement cell) {
        if (cell.process.empty()) cell.process = "threaded";
        if (cell.lab.empty()) cell.lab = file_.labs.front().name;
        if (file_.find_subject(cell.subject) == nullptr)
            introduce({cell.subject, cell.subject, "other", false, false, {}, {}, {}});
        auto [place, fresh] = file_.suites.try_emplace(suite);
        if (fresh) place->second.description = described(suite);
        place->second.complete = true;
        place->second.measured_by[cell.lab] = 1;
        place->second.measurements.push_back(std::move(cell));
        return *this;
    }

    result_file file_;
};

inline subject subject_of(const std::string& key, const std::string& name,
                          const std::string& family) {
    return {key, name, family, false, false, {}, {}, {}};
}

inline report_model report_on(const results_builder& results, bool every_compiler = false) {
    return build_report({{"results", results.file()}}, every_compiler);
}

inline const report_section& section_of(const report_model& model, const std::string& id) {
    for (const auto& section : model.sections)
        if (section.id == id) return section;
    throw std::runtime_error("no section " + id);
}

/// The table of this name in any section; null if there is none.
inline const report_table* find_table(const report_model& model, const std::string& id) {
    for (const auto& section : model.sections) {
        for (const auto& block : section.blocks) {
            const auto* table = std::get_if<report_table>(&block);
            if (table != nullptr && table->id == id) return table;
        }
    }
    return nullptr;
}

inline const report_plot* find_plot(const report_model& model, const std::string& id) {
    for (const auto& section : model.sections) {
        for (const auto& block : section.blocks) {
            const auto* plot = std::get_if<report_plot>(&block);
            if (plot != nullptr && plot->id == id) return plot;
        }
    }
    return nullptr;
}

/// The cell in the row with this head and the column with this label and group.
inline std::optional<table_cell> cell_at(const report_table& table, const std::string& head,
                                         const std::string& label, const std::string& group) {
    for (std::size_t c = 0; c != table.columns.size(); ++c) {
        if (table.columns[c].label != label || table.columns[c].group != group) continue;
        for (const auto& row : table.rows) {
            if (row.head == head) return row.cells[c];
        }
    }
    return std::nullopt;
}

}  // namespace freehold::test
