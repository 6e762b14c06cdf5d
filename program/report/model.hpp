// SPDX-License-Identifier: BSL-1.0
// The report before it is drawn: plain structs, which program/report/README.md describes. The
// terminal and the page both show only this model, so they cannot differ.
#pragma once

#include "results/result_file.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace freehold {

struct table_cell {
    std::string text;             // the displayed text
    std::optional<double> value;  // the value for sorting
    std::optional<double> low;    // the interval around the value
    std::optional<double> high;
    std::string mark;  // one word that marks the cell, such as "lowest"; empty for none
};

struct table_column {
    std::string label;
    std::string group;  // neighbouring columns with the same group have one common heading
    std::string unit;
    bool is_text = false;  // text, aligned to the left
};

struct table_row {
    std::string head;
    bool reference = false;  // others are compared with it
    std::vector<std::optional<table_cell>> cells;
    std::string opens = {};  // lines that the page shows when the row is opened
};

struct report_table {
    std::string id;
    std::string caption;
    std::string note = {};
    std::string row_header = {};
    std::vector<table_column> columns = {};
    std::vector<table_row> rows = {};
    bool grouped = false;  // the table has so many subjects that it groups them by family
};

enum class plot_type { lines, dots, bars };
/// `nines` is for the value axis of lines that show a share in per cent. Values near 100 get more
/// space.
enum class axis_scale { linear, logarithmic, nines, category };

struct plot_axis {
    std::string label;
    std::string unit;
    axis_scale scale = axis_scale::linear;
};

struct plot_point {
    double x = 0;
    double y = 0;                    // not used if y is the category axis
    std::optional<double> low = {};  // the interval around the measured coordinate
    std::optional<double> high = {};
    std::string category = {};  // its place on a category axis
    std::string note = {};      // a description, which is shown with the point's values
    bool aside = false;         // in lines: drawn hollow; the plot's note gives the reason
};

struct plot_line {
    double intercept = 0;
    double slope = 0;
};

struct plot_series {
    std::string name;
    std::vector<plot_point> points;
    std::optional<plot_line> fit;
    std::string facet;  // the small plot that it belongs to; set for all series or for none
};

/// A value of the value axis where the plot draws a line.
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
    report_table data;        // the figures as a table, if the points do not have all of them
    std::string reference{};  // the category with a line through it; "raw" if it is empty
    bool grouped = false;     // as in a table: so many subjects that some are folded
    std::vector<plot_level> levels{};  // in dots, in rising order
    bool largest_first = false;        // sorts the categories that are not grouped
    bool stacked = false;              // in bars and lines: the series are parts of a sum
    bool own_x = false;                // in lines: the x axis of each facet has its own range
};

/// Text for the user to copy.
struct report_code {
    std::string id;
    std::string caption;
    std::string text;
};

/// Rings of names that lead to one another, drawn with boxes and arrows.
struct report_rings {
    struct edge {
        std::size_t from = 0;  // in `nodes`
        std::size_t to = 0;
        std::size_t ring = 0;  // in `names`
        std::string label;
        std::string text;   // what is shown at the label
        double amount = 0;  // the arrow's width
        bool weaken = false;
    };
    std::string id;
    std::string title;
    std::string note;
    std::vector<std::string> nodes;
    std::vector<std::string> names;
    std::vector<edge> edges;
};

using report_block = std::variant<report_table, report_plot, report_code, report_rings>;

struct report_section {
    std::string id;
    std::string title;
    std::string finding;  // one sentence, computed from the figures
    std::vector<std::string> notes;
    std::vector<report_block> blocks;
};

struct headline {
    std::string label;
    std::string value;
    std::string note;
    std::string interval = {};
    bool unfavourable = false;  // for Freehold
};

/// A subject, under the name that row heads and series use.
struct report_subject {
    std::string head;
    std::string family;
    bool central = false;  // never folded
};

struct report_model {
    std::string title;
    std::string subtitle;
    std::string created;
    std::string made_by = {};  // the command; empty: `freehold report`
    std::vector<headline> summary;
    std::vector<fact> environment;
    std::vector<warning> warnings;
    std::vector<lab_description> labs;
    std::vector<report_subject> subjects;  // all measured subjects, in the order of the tables
    std::vector<warning> left_out = {};    // what was not measured, and the remedy
    std::vector<report_table> aims = {};   // the project's own aims; no page shows them
    std::vector<report_section> sections;
};

/// One result file, and its label if several files are shown.
struct labelled_results {
    std::string label;
    result_file results;
};

/// Short names that distinguish these paths: file names without extension, with as many parent
/// folders as necessary. If the same path occurs twice, it gets a number.
[[nodiscard]] std::vector<std::string> labels_for(const std::vector<std::string>& paths);

/// Builds the report for all files together. Several files are shown next to each other, and each
/// compiler of each file is a separate setting. The report shows all figures of each file's first
/// compiler. Of the other compilers, it shows only figures that differ, unless `every_compiler`.
/// Pure: it uses no input, no output and no clock. Throws std::invalid_argument if no file is
/// given, and result_error if the description of a page is wrong.
[[nodiscard]] report_model build_report(const std::vector<labelled_results>& files,
                                        bool every_compiler = false);

[[nodiscard]] nlohmann::json to_json(const report_model& model);

}  // namespace freehold
