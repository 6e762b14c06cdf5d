// SPDX-License-Identifier: BSL-1.0
// The report before it is drawn: what program/report/README.md describes, as plain structs. The
// terminal and the page both show this and nothing else, so they cannot disagree.
#pragma once

#include "results/result_file.hpp"

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace freehold {

struct table_cell {
    std::string text;             // what is shown
    std::optional<double> value;  // what it sorts by
    std::optional<double> low;    // the interval about the value
    std::optional<double> high;
    std::string mark;  // one word that sets the cell apart, such as "lowest"; empty for none
};

struct table_column {
    std::string label;
    std::string group;  // columns next to each other with the same group stand under one heading
    std::string unit;
    bool is_text = false;  // words, not figures: they stand at the left
};

struct table_row {
    std::string head;
    bool reference = false;  // what the others are compared with
    std::vector<std::optional<table_cell>> cells;
};

struct report_table {
    std::string id;
    std::string caption;
    std::string note = {};
    std::string row_header = {};
    std::vector<table_column> columns = {};
    std::vector<table_row> rows = {};
    bool grouped = false;  // so many subjects that they stand by family, the lesser ones folded
};

enum class plot_type { lines, dots, bars };
/// `nines` is for a share in per cent, as an axis of lines: the nearer to 100, the more room.
enum class axis_scale { linear, logarithmic, nines, category };

struct plot_axis {
    std::string label;
    std::string unit;
    axis_scale scale = axis_scale::linear;
};

struct plot_point {
    double x = 0;
    double y = 0;                    // not used where y is the category axis
    std::optional<double> low = {};  // the interval about the measured coordinate
    std::optional<double> high = {};
    std::string category = {};  // its place on a category axis
    std::string note = {};      // what it is, told where it is read
    bool aside = false;         // in lines: drawn hollow; the plot's note says why
};

struct plot_line {
    double intercept = 0;
    double slope = 0;
};

struct plot_series {
    std::string name;
    std::vector<plot_point> points;
    std::optional<plot_line> fit;
    std::string facet;  // which of several small plots it belongs to; all empty or none
};

/// A value of a plot's value axis that a line is drawn at.
struct plot_level {
    double at = 0;
    std::string label;
};

struct report_plot {
    std::string id;
    plot_type type = plot_type::dots;
    std::string title;
    std::string note;
    plot_axis x;
    plot_axis y;
    std::vector<plot_series> series;
    report_table data;        // the figures as a table where the points are not all; else empty
    std::string reference{};  // the category that a line is drawn through; raw where none is named
    bool grouped = false;     // as in a table: so many subjects that the lesser ones are folded
    std::vector<plot_level> levels{};  // in dots, by rising value
    bool largest_first = false;        // how the categories stand where they are not grouped
    bool stacked = false;              // in bars and lines: the series are parts of a sum
    bool own_x = false;                // in lines: the x axis of each facet has a range of its own
};

/// Text to copy as it stands.
struct report_code {
    std::string id;
    std::string caption;
    std::string text;
};

using report_block = std::variant<report_table, report_plot, report_code>;

struct report_section {
    std::string id;
    std::string title;
    std::string finding;  // one sentence, computed
    std::vector<std::string> notes;
    std::vector<report_block> blocks;
};

struct headline {
    std::string label;
    std::string value;
    std::string note;
    std::string interval = {};
    bool unfavourable = false;  // to Freehold
};

/// A subject, as the heads of rows and the names of series call it.
struct report_subject {
    std::string head;
    std::string family;
    bool central = false;  // never folded
};

struct report_model {
    std::string title;
    std::string subtitle;
    std::string created;
    std::string made_by = {};  // the command; `freehold report` where none is named
    std::vector<headline> summary;
    std::vector<fact> environment;
    std::vector<warning> warnings;
    std::vector<lab_description> labs;
    std::vector<report_subject> subjects;  // all that were measured, in the order of the tables
    std::vector<warning> left_out = {};    // what was not measured, and what adds it
    std::vector<report_table> aims = {};   // the project's own; on no page
    std::vector<report_section> sections;
};

/// One result file and what to call it where several are shown side by side.
struct labelled_results {
    std::string label;
    result_file results;
};

/// Short names that tell these paths apart: file names without extension, with as many parent
/// folders as it takes; the same path given twice gets a number.
[[nodiscard]] std::vector<std::string> labels_for(const std::vector<std::string>& paths);

/// The report on all files together. Several files are shown side by side, each compiler of each
/// file as a setting of its own; of each file's compilers the first is shown whole, of the others
/// what differs, unless `every_compiler`. Pure: no input or output, the clock is not asked. Throws
/// std::invalid_argument if no file is given, and result_error for a description of a page that is
/// wrong.
[[nodiscard]] report_model build_report(const std::vector<labelled_results>& files,
                                        bool every_compiler = false);

[[nodiscard]] nlohmann::json to_json(const report_model& model);

}  // namespace freehold
