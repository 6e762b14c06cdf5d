// SPDX-License-Identifier: BSL-1.0
// Draws a section from the description of its page: the one renderer of all suites.
#pragma once

#include "report/sections/page_spec.hpp"
#include "report/sections/suite_figures.hpp"

#include <map>
#include <string>
#include <vector>

namespace freehold {

/// The figures of all suites, each computed when it is first asked for.
class all_figures {
public:
    /// `settings` must outlive it.
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
    std::string suite;              // that figures without a suite of their own belong to
    std::vector<setting> settings;  // that are shown
    std::vector<subject_row> rows;  // that are shown, in order
    std::vector<std::string> not_ranked;
};

/// A table without the rows and columns that have no cell.
[[nodiscard]] report_table draw_table(const table_spec& spec, const page_context& context);
[[nodiscard]] report_plot draw_plot(const plot_spec& spec, const page_context& context);

/// One figure as `spec` describes it; nothing where it was not measured.
[[nodiscard]] std::optional<estimate> evaluate(const figure_spec& spec, const page_context& context,
                                               const setting& where, const subject_row& row,
                                               std::optional<std::int64_t> n = {});

/// The placeholders of a sentence replaced: `{value CASE SUBJECT}`, `{ratio CASE SUBJECT OTHER}`,
/// the range over all settings. Empty if one of them was not measured.
[[nodiscard]] std::string filled_in(const std::string& sentence, const page_context& context);

/// The section of one suite. Nothing where no setting measured it. `every_compiler`: columns for
/// every lab, in place of those of each file's first lab and a table of what differs from it.
/// Throws result_error for a page that the description gets wrong.
[[nodiscard]] std::optional<report_section> suite_section(all_figures& figures,
                                                          const std::string& suite,
                                                          bool every_compiler);

/// Removes the rows and columns that have no cell.
void remove_empty(report_table& table);

}  // namespace freehold
