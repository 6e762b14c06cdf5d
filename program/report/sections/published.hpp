// SPDX-License-Identifier: BSL-1.0
// The figures of the articles that Freehold began with: lab/published/*.json, compiled in.
#pragma once

#include "report/sections/figures.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace freehold {

struct published_figure {
    estimate figure;   // with two standard deviations if the article gives them
    std::string note;  // "I" or "O" of code sizes; the words around a number that is part of a text
};

/// One article. Figures are looked up by the keys of subjects and cases.
class published_page {
public:
    /// `json` is a file of lab/published/. Throws json_error or nlohmann::json::exception.
    explicit published_page(const std::string& json);

    /// The names of the compilers as column headings, such as "MSVC 6.0". If the article names
    /// none, there is one empty name.
    [[nodiscard]] const std::vector<std::string>& compilers() const { return compilers_; }
    [[nodiscard]] const std::string& source() const { return source_; }  // one sentence
    [[nodiscard]] const std::vector<std::string>& predicted_order() const { return order_; }

    [[nodiscard]] std::optional<published_figure> find(const std::string& compiler,
                                                       const std::string& subject,
                                                       const std::string& test_case,
                                                       std::int64_t n = 0) const;
    /// Whether the figures of any compiler have this case for the subject.
    [[nodiscard]] bool has(const std::string& subject, const std::string& test_case) const;
    /// The sizes of all figures, in rising order.
    [[nodiscard]] std::vector<std::int64_t> sizes() const;

private:
    std::vector<std::string> compilers_;
    std::string source_;
    std::vector<std::string> order_;
    std::map<std::tuple<std::string, std::string, std::string, std::int64_t>, published_figure>
        figures_;
};

/// Finds the page by the file's name without its extension, such as "boost_2000". Throws
/// std::out_of_range for another name.
[[nodiscard]] const published_page& published(std::string_view name);

}  // namespace freehold
