// SPDX-License-Identifier: BSL-1.0
// The report as text: findings and aligned tables. Text in UTF-8, one column for each code point
// (no wide or combining character occurs in a report). A table wider than the terminal is split at
// its column groups, then between columns. Nothing but
// style_of_standard_output looks at the machine.
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

/// Emphasis only on a terminal, and not if NO_COLOR is set (https://no-color.org) or
/// TERM=dumb; the width of a terminal, within 60 and 160, and 100 elsewhere.
[[nodiscard]] terminal_style style_of_standard_output();

/// What was measured, the headlines, what to take and what is missing: at most 60 lines.
void print_summary(std::ostream& out, const report_model& model, const terminal_style& style);

void print_section(std::ostream& out, const report_section& section,
                   const std::vector<report_subject>& subjects, const terminal_style& style);

/// Everything but the plots.
void print_report(std::ostream& out, const report_model& model, const terminal_style& style);

/// A grouped table has a line with the family above the first of its subjects.
void print_table(std::ostream& out, const report_table& table, const terminal_style& style,
                 const std::vector<report_subject>& subjects = {});

/// The text broken at blanks to fit the width, for a cursor that stands at `column`; the lines
/// after the first begin there too. Ends with a newline.
[[nodiscard]] std::string paragraph_text(std::string_view text, const terminal_style& style,
                                         std::size_t column = 0);

[[nodiscard]] std::string bold(std::string_view text, const terminal_style& style);
[[nodiscard]] std::string dim(std::string_view text, const terminal_style& style);

/// How many columns a UTF-8 text takes.
[[nodiscard]] std::size_t display_width(std::string_view text);

}  // namespace freehold
