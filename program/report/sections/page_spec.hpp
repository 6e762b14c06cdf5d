// SPDX-License-Identifier: BSL-1.0
// The member `page` of a suite's description, which says how its figures are shown. docs/results.md
// lists the members. One renderer (section.hpp) draws every suite from it.
#pragma once

#include "report/model.hpp"
#include "results/json_node.hpp"

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace freehold {

/// A figure of a subject: a measured case, or a value that is computed from it.
struct figure_spec {
    std::string suite;      // empty: the suite of the page
    std::string test_case;  // a case; empty if only `published` is set
    std::string label;
    std::string group;
    std::string unit;
    std::string times;    // divided by the same figure of this subject
    std::string over;     // divided by this case of the same subject
    std::string less;     // minus the same figure of this subject
    std::string with;     // show "code": the case that counts bytes
    double scale = 1;     // a factor
    bool rate = false;    // 1000 divided by the figure
    std::string each;     // a label for every size, such as "{n} threads"; empty: only the smallest
    std::string show;     // "error", "estimate", "exact", "noted", "code", "level", "percent"
    bool lowest = false;  // whether the column's lowest is marked
    std::string deleted;  // a subject: figures below half of its figure were optimised away
    std::string published;  // an article's page: show its figures instead of measured ones
    std::string process;    // the rows that have a published figure; empty: any
};

struct level_spec {
    double at = 0;
    std::string label;
};

struct rows_spec {
    bool threaded_only = false;
    std::vector<std::string> only;   // subjects; empty: all
    std::vector<std::string> order;  // subjects that come first, in this order
    std::string published;           // only the subjects for which this article has figures
    std::string published_case;
};

struct table_spec {
    std::string id;
    std::string caption;
    std::string note;
    std::string header;
    std::vector<figure_spec> columns;
    rows_spec rows;
    std::vector<level_spec> levels;
    std::string reference;      // the row of this subject is marked, like those of the lower bounds
    bool each_setting = false;  // a separate table for each setting
    std::string source;         // an article's page; the note names its source
};

struct plot_spec {
    report_plot frame;  // without series
    std::vector<figure_spec> figures;
    rows_spec rows;
    std::string facet;  // labels with {case}, {group}, {setting}, {n}, {bytes} or {subject}
    std::string series;
    std::string span;        // in lines over time: the case with the total time of all sizes
    std::int64_t every = 1;  // in lines: only multiples of this size
};

/// A block that is drawn by code: see special_blocks.hpp.
struct special_spec {
    std::string name;
};

using block_spec = std::variant<table_spec, plot_spec, special_spec>;

/// The first sentence of a section.
struct reading_spec {
    std::string test_case;  // ranks the subjects; empty: only `sentences`
    std::string opening;
    std::string unit;
    std::string baseline;  // a subject
    std::string nothing;
    bool exact = false;
    std::vector<std::string> sentences;  // with placeholders; left out if a figure is missing
};

/// Figures that are computed before the page is drawn.
struct derived_spec {
    std::string kind;  // "fit": the first size, and a step; "shares": parts of a cost
    std::string test_case;
    std::vector<std::int64_t> at;  // fit: the sizes to which a step has a figure of its own
    std::string bound;             // shares: the subject that only copies
    std::string zeroed;            // shares: the case of the memory that is set to zero
};

struct page_spec {
    std::string title;
    reading_spec reading;
    std::vector<std::string> notes;
    std::vector<std::string> not_ranked;  // subjects and families that never count as the lowest
    std::vector<derived_spec> derived;
    std::vector<block_spec> blocks;
};

/// Throws json_error with the path of the member that is wrong. Does not check whether the cases
/// exist.
[[nodiscard]] page_spec page_from(const json_node& node);

/// The cases of the page's own suite to which the page refers.
[[nodiscard]] std::vector<std::string> cases_of(const page_spec& page);

}  // namespace freehold
