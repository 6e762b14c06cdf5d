// SPDX-License-Identifier: BSL-1.0
#include "report/terminal.hpp"

#include "report/terminal_table.hpp"

#include <algorithm>
#include <cstdlib>
#include <ostream>

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace freehold {

namespace {

std::string emphasised(std::string_view text, const char* code, const terminal_style& style) {
    if (!style.emphasis || text.empty()) return std::string(text);
    return fmt::format("\x1b[{}m{}\x1b[0m", code, text);
}

std::string padding(std::size_t width, std::string_view text) {
    const auto used = display_width(text);
    return std::string(width > used ? width - used : 0, ' ');
}

/// Writes a line without blanks at its end.
void put_line(std::ostream& out, std::string line) {
    line.erase(line.find_last_not_of(' ') + 1);
    out << line << '\n';
}

void put_group_line(std::ostream& out, const report_table& table, const table_layout& layout,
                    const table_part& part, const terminal_style& style) {
    std::string line(layout.head_width, ' ');
    bool any = false;
    for (std::size_t c = part.begin; c != part.end;) {
        const auto& group = table.columns[c].group;
        std::size_t width = 0;
        for (; c != part.end && table.columns[c].group == group; ++c) {
            width += layout.widths[c] + column_gap;
        }
        any = any || !group.empty();
        line += std::string(column_gap, ' ') + emphasised(group, "2", style);
        line += padding(width - column_gap, group);
    }
    if (any) put_line(out, line);
}

bool has_cell(const table_row& row, const table_part& part) {
    const auto begin = row.cells.begin();
    return std::any_of(begin + static_cast<std::ptrdiff_t>(part.begin),
                       begin + static_cast<std::ptrdiff_t>(part.end),
                       [](const auto& cell) { return cell.has_value(); });
}

using subject_list = std::vector<report_subject>;

/// The family of the row. Empty if the table is short enough to be shown without families.
std::string_view family_in(const report_table& table, const table_row& row,
                           const subject_list& subjects) {
    if (!table.grouped) return {};
    const auto found =
        std::find_if(subjects.begin(), subjects.end(),
                     [&](const report_subject& each) { return each.head == row.head; });
    return found == subjects.end() ? std::string_view() : std::string_view(found->family);
}

void put_part(std::ostream& out, const report_table& table, const table_layout& layout,
              const table_part& part, const subject_list& subjects, const terminal_style& style) {
    put_group_line(out, table, layout, part, style);
    std::string headings = table.row_header + padding(layout.head_width, table.row_header);
    for (std::size_t c = part.begin; c != part.end; ++c) {
        const auto heading = heading_of(table.columns[c]);
        headings += std::string(column_gap, ' ') + padding(layout.widths[c], heading) + heading;
    }
    put_line(out, dim(headings, style));
    std::string_view family;
    for (const auto& row : table.rows) {
        if (!has_cell(row, part)) continue;
        if (const auto own = family_in(table, row, subjects); own != family) {
            put_line(out, dim(own, style));
            family = own;
        }
        const bool is_wide = display_width(row.head) > layout.head_width;
        if (is_wide) out << paragraph_text(row.head, style);
        const std::string_view head = is_wide ? std::string_view() : row.head;
        std::string line = std::string(head) + padding(layout.head_width, head);
        for (std::size_t c = part.begin; c != part.end; ++c) {
            const auto text = shown_in(row.cells[c]);
            const bool marked = row.cells[c] && row.cells[c]->mark == "lowest";
            line += std::string(column_gap, ' ') + padding(layout.widths[c], text);
            line += marked ? bold(text, style) : text;
        }
        put_line(out, line);
    }
}

bool has_lowest(const report_table& table) {
    return std::any_of(table.rows.begin(), table.rows.end(), [](const table_row& row) {
        return std::any_of(row.cells.begin(), row.cells.end(),
                           [](const auto& cell) { return cell && cell->mark == "lowest"; });
    });
}

/// "0.11×  0.10 to 0.12  Make and release (freehold::arc against std::make_shared; 2.10 ns, g++)"
void put_headlines(std::ostream& out, const report_model& model, const terminal_style& style) {
    if (model.summary.empty()) return;
    std::size_t value = 0;
    std::size_t interval = 0;
    for (const auto& line : model.summary) {
        value = std::max(value, display_width(line.value));
        interval = std::max(interval, display_width(line.interval));
    }
    for (const auto& line : model.summary) {
        out << (line.unfavourable ? "! " : "  ") << padding(value, line.value)
            << bold(line.value, style) << "  " << line.interval << padding(interval, line.interval)
            << "  " << line.label << '\n';
        const auto column = 2 + value + 2 + interval + 2;
        out << std::string(column, ' ') << dim(paragraph_text(line.note, style, column), style);
    }
    const auto& all = model.summary;
    out << "  Ratios with their 95 % intervals. Below 1, the first of the two takes less.\n";
    if (std::any_of(all.begin(), all.end(), [](const headline& each) { return each.unfavourable; }))
        out << "  ! Freehold costs more than what it is compared with.\n";
    out << '\n';
}

void print_environment(std::ostream& out, const report_model& model, const terminal_style& style) {
    for (const auto& known : model.environment) {
        out << "  " << paragraph_text(known.name + ": " + known.value, style, 4);
    }
    out << '\n';
    for (const auto& told : model.warnings) {
        std::string text = told.problem;
        if (!told.remedy.empty()) text += (text.ends_with('.') ? " " : "; ") + told.remedy;
        out << "! " << paragraph_text(text, style, 2);
    }
    if (!model.warnings.empty()) out << '\n';
}

/// Prints a list of short names on as few lines as possible.
void put_list(std::ostream& out, const std::string& heading, const std::vector<std::string>& names,
              const terminal_style& style) {
    if (names.empty()) return;
    std::string text = heading;
    for (const auto& each : names) text += (&each == &names.front() ? " " : "; ") + each;
    out << paragraph_text(text + ".", style);
}

}  // namespace

terminal_style style_of_standard_output() {
    terminal_style style;
    if (isatty(STDOUT_FILENO) == 0) return style;
    const char* no_color = std::getenv("NO_COLOR");
    const char* term = std::getenv("TERM");
    const bool refused = no_color != nullptr && *no_color != '\0';
    style.emphasis = !refused && term != nullptr && std::string_view(term) != "dumb";
    winsize size{};
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col != 0) {
        style.width = std::clamp<std::size_t>(size.ws_col, 60, 160);
    }
    return style;
}

std::size_t display_width(std::string_view text) {
    const auto begins_a_code_point = [](char c) {
        return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
    };
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), begins_a_code_point));
}

std::string bold(std::string_view text, const terminal_style& style) {
    return emphasised(text, "1", style);
}

std::string dim(std::string_view text, const terminal_style& style) {
    return emphasised(text, "2", style);
}

std::string paragraph_text(std::string_view text, const terminal_style& style, std::size_t column) {
    std::string lines;
    std::size_t at = column;
    while (!text.empty()) {
        const auto word = text.substr(0, text.find(' '));
        text.remove_prefix(std::min(text.size(), word.size() + 1));
        if (word.empty()) continue;
        const auto width = display_width(word);
        if (at != column && at + 1 + width > style.width) {
            lines += '\n';
            lines.append(column, ' ');
            at = column;
        } else if (at != column) {
            lines += ' ';
            ++at;
        }
        lines += word;
        at += width;
    }
    return lines + "\n";
}

void print_table(std::ostream& out, const report_table& table, const terminal_style& style,
                 const std::vector<report_subject>& subjects) {
    out << paragraph_text(table.caption, style);
    const auto layout = lay_out(table, style.width);
    for (std::size_t i = 0; i != layout.parts.size(); ++i) {
        if (i != 0) out << '\n';
        put_part(out, table, layout, layout.parts[i], subjects, style);
    }
    auto note = table.note;
    if (has_lowest(table)) {
        const std::string legend = "* the lowest, or not distinguishable from it.";
        note = note.empty() ? legend : legend + " " + note;
    }
    if (!note.empty()) out << dim(paragraph_text(note, style), style);
}

void print_summary(std::ostream& out, const report_model& model, const terminal_style& style) {
    constexpr std::size_t most_left_out = 8;
    out << bold(model.title, style) << '\n';
    out << paragraph_text(model.subtitle + " (" + model.created + ").", style);
    for (const auto& known : model.environment)
        if (known.name == "processor") out << paragraph_text(known.value + ".", style);
    out << '\n';
    put_headlines(out, model, style);
    for (const auto& section : model.sections) {
        for (const auto& block : section.blocks) {
            const auto* table = std::get_if<report_table>(&block);
            if (table == nullptr || table->id != "choices") continue;
            print_table(out, *table, style);
            out << '\n';
        }
    }
    if (!model.warnings.empty())
        out << paragraph_text(
            fmt::format("! {} may have disturbed these figures: `freehold doctor` says what helps.",
                        model.warnings.size() == 1
                            ? "One thing"
                            : fmt::format("{} things", model.warnings.size())),
            style, 0);
    std::vector<std::string> measured;
    for (const auto& section : model.sections) measured.push_back(section.id);
    put_list(out, "Measured:", measured, style);
    std::vector<std::string> missing;
    for (const auto& each : model.left_out)
        if (missing.size() != most_left_out && each.problem.size() < 60)
            missing.push_back(each.problem);
    if (!missing.empty() && missing.size() < model.left_out.size())
        missing.push_back(fmt::format("{} more", model.left_out.size() - missing.size()));
    put_list(out, "Not measured (the page says what adds it):", missing, style);
}

void print_section(std::ostream& out, const report_section& section,
                   const std::vector<report_subject>& subjects, const terminal_style& style) {
    out << '\n' << bold(section.title, style) << '\n' << paragraph_text(section.finding, style);
    for (const auto& block : section.blocks) {
        if (const auto* table = std::get_if<report_table>(&block)) {
            out << '\n';
            print_table(out, *table, style, subjects);
        } else if (const auto* code = std::get_if<report_code>(&block)) {
            out << '\n' << paragraph_text(code->caption, style) << '\n' << code->text;
        }
    }
    if (!section.notes.empty()) out << '\n';
    for (const auto& note : section.notes) out << "- " << paragraph_text(note, style, 2);
    out << '\n';
}

void print_report(std::ostream& out, const report_model& model, const terminal_style& style) {
    out << bold(model.title, style) << '\n';
    out << paragraph_text(model.subtitle + " (" + model.created + ").", style) << '\n';
    for (const auto& line : model.summary)
        out << "  "
            << paragraph_text(line.value + "  " + line.label +
                                  (line.note.empty() ? "" : " (" + line.note + ")"),
                              style, 2);
    print_environment(out, model, style);
    for (const auto& section : model.sections) print_section(out, section, model.subjects, style);
}

}  // namespace freehold
