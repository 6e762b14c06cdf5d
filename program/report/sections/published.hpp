// SPDX-License-Identifier: BSL-1.0
// The figures that "Smart Pointer Timings" printed in 2000, from lab/published/boost_2000.json,
// which is part of this executable: the report needs no file beside it.
#pragma once

#include "report/sections/figures.hpp"

#include <optional>
#include <string>
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

}  // namespace freehold
