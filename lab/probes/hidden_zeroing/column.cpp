// SPDX-License-Identifier: BSL-1.0
#include "probes/hidden_zeroing/column.hpp"

#include "probes/hidden_zeroing/lines.hpp"
#include "probes/zeroing.hpp"

#include <algorithm>
#include <charconv>
#include <sstream>
#include <stdexcept>

namespace lab {
namespace {

/// What is smaller is bookkeeping: a mutex, a size, a flag.
constexpr std::size_t least_bytes = 4096;

std::vector<std::string> columns_of(const std::string& line) {
    std::vector<std::string> columns;
    std::istringstream in(line);
    for (std::string column; std::getline(in, column, '\t');) columns.push_back(column);
    return columns;
}

std::size_t read_number(const std::string& text) {
    std::size_t number = 0;
    const char* const end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc() || rest != end)
        throw std::runtime_error("the probe of hidden zeroing printed '" + text + "' for a number");
    return number;
}

std::string means_of(const disassembly& code, const std::string& symbol) {
    std::vector<std::string> all;
    for (const zeroing& each : find_zeroing(code, symbol, least_bytes)) {
        if (std::find(all.begin(), all.end(), each.means) == all.end()) all.push_back(each.means);
    }
    std::string text;
    for (const std::string& each : all) text += (text.empty() ? "" : ", ") + each;
    return text;
}

}  // namespace

const judged_construct& column::at(const std::string& symbol) const {
    const auto found =
        std::find_if(constructs.begin(), constructs.end(),
                     [&](const judged_construct& each) { return each.symbol == symbol; });
    if (found == constructs.end()) throw std::runtime_error("there is no construct " + symbol);
    return *found;
}

column read_column(const std::string& printed, const disassembly& code) {
    std::istringstream lines(printed);
    std::string line;
    std::getline(lines, line);
    std::vector<std::string> words = columns_of(line);
    if (words.size() != 2 && words.size() != 3)
        throw std::runtime_error("the probe of hidden zeroing printed '" + line + "' at first");
    words.resize(3);
    column result{words[0], words[1], words[2], {}};
    while (std::getline(lines, line)) {
        words = columns_of(line);
        if (words.size() != 6 && !(words.size() == 5 && words[4] == "-"))
            throw std::runtime_error("the probe of hidden zeroing printed '" + line + "'");
        judged_construct one{words[0], words[1], words[2], words[3], verdict::missing, 0, ""};
        if (words.size() == 6) {
            one.is = read_number(words[4]) >= least_bytes ? verdict::zeroes : verdict::leaves;
            one.other = read_number(words[5]);
            one.means = means_of(code, one.symbol);
        }
        result.constructs.push_back(one);
    }
    return result;
}

}  // namespace lab
