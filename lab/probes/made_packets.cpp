// SPDX-License-Identifier: BSL-1.0
#include "probes/made_packets.hpp"

#include <charconv>
#include <sstream>
#include <stdexcept>

namespace lab {
namespace {

bool read_number(const std::string& column, int& number) {
    const char* const end = column.data() + column.size();
    const auto [rest, error] = std::from_chars(column.data(), end, number);
    return error == std::errc() && rest == end;
}

}  // namespace

std::vector<made_packet> read_made_packets(const std::string& text) {
    std::vector<made_packet> all;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        std::vector<std::string> columns;
        std::istringstream in(line);
        for (std::string column; std::getline(in, column, '\t');) columns.push_back(column);
        const std::runtime_error unknown("the probe of zeroing printed '" + line + "'");
        if (columns.size() != 4 && columns.size() != 5) throw unknown;
        made_packet made{columns[0], columns[1], columns[2], "", 0, 0};
        if (columns.size() == 4) {
            made.missing = columns[3];
        } else if (!read_number(columns[3], made.zero) || !read_number(columns[4], made.other)) {
            throw unknown;
        }
        all.push_back(made);
    }
    return all;
}

std::vector<zeroing> what_zeroes(const made_packet& made, const disassembly& code) {
    // freehold::pool::allocate_slowly() and deallocate_slowly(void*)
    return find_zeroing(
        code, made.symbol, 256,
        {"_ZN8freehold4pool15allocate_slowlyEv", "_ZN8freehold4pool17deallocate_slowlyEPv"});
}

}  // namespace lab
