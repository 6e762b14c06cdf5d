// SPDX-License-Identifier: BSL-1.0
#include "report/amounts.hpp"

#include <array>
#include <cmath>
#include <cstddef>

#include <fmt/format.h>

namespace freehold {

namespace {

std::string three_digits(double value) {
    const double size = std::abs(value);
    if (size >= 99.95) return fmt::format("{:.0f}", value);
    const int decimals = size >= 9.995 ? 1 : 2;
    std::string text = fmt::format("{:.{}f}", value, decimals);
    while (text.back() == '0') text.pop_back();
    if (text.back() == '.') text.pop_back();
    return text;
}

template <std::size_t Count>
std::string in_units(double value, double step, const std::array<const char*, Count>& units) {
    std::size_t unit = 0;
    while (unit + 1 != Count && std::abs(value) >= step) {
        value /= step;
        ++unit;
    }
    return three_digits(value) + " " + units[unit];
}

}  // namespace

std::string bytes_text(double bytes) {
    return in_units(bytes, 1024, std::array{"B", "KiB", "MiB", "GiB", "TiB"});
}

std::string time_text(double nanoseconds) {
    return in_units(nanoseconds, 1000, std::array{"ns", "µs", "ms", "s"});
}

std::string count_text(double count) {
    std::string text = three_digits(count);
    for (std::size_t end = text.find('.') == std::string::npos ? text.size() : 0; end > 3;
         end -= 3) {
        text.insert(end - 3, 1, ',');
    }
    return text;
}

std::string share_text(double share) {
    const double percent = 100 * share;
    const double missing = 100 - percent;
    const int decimals = missing <= 0 ? 0 : missing < 0.1 ? 3 : missing < 1 ? 2 : 1;
    return fmt::format("{:.{}f} %", percent, decimals);
}

}  // namespace freehold
