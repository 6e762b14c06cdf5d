// SPDX-License-Identifier: BSL-1.0
// Writes docs/hidden_zeroing.md: the tables of the constructs, put into the text of page.md.in.
// Text in, text out.
#pragma once

#include "probes/hidden_zeroing/column.hpp"

#include <map>
#include <string>
#include <vector>

namespace lab {

struct page_sources {
    std::string text;             ///< page.md.in
    std::string types;            ///< lines.hpp
    std::vector<column> columns;  ///< of the tables, from left to right
    disassembly code;             ///< of the first
    /// The files in lint/, by their names without `.cpp`: as they are written and as they are
    /// fixed, the second empty where there is no clang-tidy.
    std::map<std::string, std::string> as_written;
    std::map<std::string, std::string> as_fixed;
};

/// Replaces in the text each line `@built@` by the compilers' names, `@types@` by the types,
/// `@table GROUP@` by the table of a group, `@lint@` by that of what the fixes make, and
/// `@code SYMBOL@` by the machine code of a construct. Throws std::runtime_error for another such
/// line, and if a column lacks a construct that the first one has.
std::string hidden_zeroing_page(const page_sources& from);

/// What a page says of each compiler: all cells of its tables but those of the last column, by the
/// text of the row and the head of the column. To compare pages of different machines by.
std::map<std::string, verdict> verdicts_on(const std::string& page);

}  // namespace lab
