// SPDX-License-Identifier: BSL-1.0
// The report as text: findings and aligned tables. The text is UTF-8, with one column for each code
// point (a report has no wide or combining characters). A table that is wider than the terminal is
// split between its column groups, and then between columns. Only style_of_standard_output depends
// on the machine.
#pragma once

#include "report/model.hpp"

#include <iosfwd>
#include <string>
#include <string_view>

namespace freehold {

struct terminal_style {
    bool emphasis = false;  // bold and dim by escape sequences
    std::size_t width = 100;
};

/// Uses emphasis only on a terminal, and not if NO_COLOR is set (https://no-color.org) or
/// TERM=dumb. The width is that of the terminal, at least 60 and at most 160. If there is no
/// terminal, the width is 100.
[[nodiscard]] terminal_style style_of_standard_output();

/// Prints what was measured, the headlines, the recommendations and what is missing: at most 60
/// lines.
void print_summary(std::ostream& out, const report_model& model, const terminal_style& style);

void print_section(std::ostream& out, const report_section& section,
                   const std::vector<report_subject>& subjects, const terminal_style& style);

/// Prints everything except the plots.
void print_report(std::ostream& out, const report_model& model, const terminal_style& style);

/// In a grouped table, a line with the family precedes the first of its subjects.
void print_table(std::ostream& out, const report_table& table, const terminal_style& style,
                 const std::vector<report_subject>& subjects = {});

/// Breaks the text at blanks so that it fits the width. The cursor is at `column`, and the lines
/// after the first also begin there. Ends with a newline.
[[nodiscard]] std::string paragraph_text(std::string_view text, const terminal_style& style,
                                         std::size_t column = 0);

[[nodiscard]] std::string bold(std::string_view text, const terminal_style& style);
[[nodiscard]] std::string dim(std::string_view text, const terminal_style& style);

/// The number of columns that a UTF-8 text takes.
[[nodiscard]] std::size_t display_width(std::string_view text);

}  // namespace freehold
