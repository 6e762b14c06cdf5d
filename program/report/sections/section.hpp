// SPDX-License-Identifier: BSL-1.0
// Draws a section from the description of its page. One renderer draws all suites.
#pragma once

#include "report/sections/page_spec.hpp"
#include "report/sections/suite_figures.hpp"

#include <map>
#include <string>
#include <vector>

namespace freehold {

/// The figures of all suites. Each suite is computed when a caller first asks for it.
class all_figures {
public:
    /// `settings` must outlive this object.
    explicit all_figures(const std::vector<setting>& settings) : settings_(settings) {}

    [[nodiscard]] suite_figures& suite(const std::string& name);
    /// All settings, measured or not.
    [[nodiscard]] const std::vector<setting>& settings() const { return settings_; }

private:
    const std::vector<setting>& settings_;
    std::map<std::string, suite_figures> suites_;
};

struct page_context {
    all_figures& figures;
    std::string suite;              // figures that name no suite belong to this one
    std::vector<setting> settings;  // the settings to show
    std::vector<subject_row> rows;  // the rows to show, in order
    std::vector<std::string> not_ranked;
};

/// A table without the rows and columns that have no cell.
[[nodiscard]] report_table draw_table(const table_spec& spec, const page_context& context);
[[nodiscard]] report_plot draw_plot(const plot_spec& spec, const page_context& context);

/// The figure that `spec` describes. Empty if it was not measured.
[[nodiscard]] std::optional<estimate> evaluate(const figure_spec& spec, const page_context& context,
                                               const setting& where, const subject_row& row,
                                               std::optional<std::int64_t> n = {});

/// Replaces the placeholders of a sentence: `{value CASE SUBJECT}`, `{ratio CASE SUBJECT OTHER}`.
/// The text is the range over all settings. Returns an empty text if one of the figures was not
/// measured.
[[nodiscard]] std::string filled_in(const std::string& sentence, const page_context& context);

/// The section of one suite. Empty if no setting measured it. With `every_compiler`, there are
/// columns for every lab. Otherwise there are columns for each file's first lab, and a table of the
/// figures that differ in the others. Throws result_error if the description of the page is wrong.
[[nodiscard]] std::optional<report_section> suite_section(all_figures& figures,
                                                          const std::string& suite,
                                                          bool every_compiler);

/// Removes the rows and columns that have no cell.
void remove_empty(report_table& table);

}  // namespace freehold
