// SPDX-License-Identifier: BSL-1.0
// What the seeds printed: the figures of "Smart Pointer Timings" (2000), the sayings of "Memory and
// Performance Overhead of Smart Pointers" (2016), the six ways to a packet (2017), "The unexpected
// cost of shared pointers" (Oxla) and "A cache with a bad policy is another name for a memory leak"
// (2006), from lab/published/, which is part of this executable: the report needs no file beside
// it.
#pragma once

#include "report/sections/figures.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace freehold {

struct published_figure {
    estimate figure;   // with two standard deviations where the page gives them
    std::string note;  // "I" or "O" for code sizes
};

/// The compilers of the page, as column headings: "MSVC 6.0" and the like.
[[nodiscard]] const std::vector<std::string>& published_compilers();

/// Where the figures are from, one sentence.
[[nodiscard]] const std::string& published_source();

/// `test` is one of "initialisation", "copy" (ns), those of the suites `containers` (s) and
/// `footprint` as in lab/README.md. Nothing if the page does not have it.
[[nodiscard]] std::optional<published_figure> find_published(const std::string& compiler,
                                                             const std::string& competitor,
                                                             const std::string& test);

/// Where the sayings of 2016 are from, one sentence.
[[nodiscard]] const std::string& construction_source();

/// `test` is "optimised" (times new and delete) or "not optimised" (times the same optimised): the
/// words with the number in them. Nothing if the page says nothing of it.
[[nodiscard]] std::optional<table_cell> find_construction_saying(const std::string& competitor,
                                                                 const std::string& test);

/// The six ways to a packet of 2017, in the unit that the article does not name.
struct six_ways_page {
    struct column {
        std::string compiler;
        std::map<std::string, double> figures;  // by competitor

        [[nodiscard]] std::optional<double> find(const std::string& competitor) const;
    };

    std::string source;                        // one sentence
    std::vector<std::string> predicted_order;  // of competitors, the fastest first
    std::vector<column> columns;
};

[[nodiscard]] const six_ways_page& published_six_ways();

/// Seconds of the tests `seed, ...` of the suite `zeroing`.
struct zeroing_page {
    std::string source;                                             // one sentence
    std::map<std::pair<std::string, std::string>, double> figures;  // by competitor and test

    [[nodiscard]] std::optional<double> find(const std::string& competitor,
                                             const std::string& test) const;
};

[[nodiscard]] const zeroing_page& published_zeroing();

/// What the article's flawed and its mended cache printed: the tests `article, ...` of the suite
/// `buffers`.
struct buffers_page {
    std::string source;               // one sentence
    std::vector<std::int64_t> steps;  // that have a line, rising
    std::map<std::tuple<std::string, std::string, std::int64_t>, double>
        figures;  // by competitor, test and step

    [[nodiscard]] std::optional<double> find(const std::string& competitor, const std::string& test,
                                             std::int64_t step) const;
};

[[nodiscard]] const buffers_page& published_buffers();

}  // namespace freehold
