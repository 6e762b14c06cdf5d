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

/// Returns the index of the unit that fits the value. Each of `count` units is `step` of the one
/// before.
std::size_t unit_of(double value, double step, std::size_t count) {
    std::size_t unit = 0;
    for (; unit + 1 != count && std::abs(value) >= step; ++unit) value /= step;
    return unit;
}

}  // namespace

std::string bytes_text(double bytes) {
    constexpr std::array units = {"B", "KiB", "MiB", "GiB", "TiB"};
    const std::size_t unit = unit_of(bytes, 1024, units.size());
    return three_digits(bytes / std::pow(1024, unit)) + " " + units[unit];
}

std::string time_text(double nanoseconds) {
    const time_unit unit = unit_of_time(nanoseconds);
    return three_digits(nanoseconds / unit.nanoseconds) + " " + unit.name;
}

time_unit unit_of_time(double nanoseconds) {
    constexpr std::array units = {"ns", "µs", "ms", "s"};
    const std::size_t unit = unit_of(nanoseconds, 1000, units.size());
    return {units[unit], std::pow(1000, unit)};
}

std::string count_text(double count) {
    std::string text = three_digits(count);
    for (std::size_t end = text.find('.') == std::string::npos ? text.size() : 0; end > 3;
         end -= 3) {
        text.insert(end - 3, 1, ',');
    }
    return text;
}

std::string number_of(std::uint64_t count, std::string noun) {
    if (count != 1 && noun.ends_with('y'))
        noun.replace(noun.size() - 1, 1, "ies");
    else if (count != 1)
        noun += noun.ends_with('s') ? "es" : "s";
    return count_text(count) + " " + noun;
}

std::string share_text(double share) {
    const double percent = 100 * share;
    const double missing = 100 - percent;
    const int decimals = missing <= 0 ? 0 : missing < 0.1 ? 3 : missing < 1 ? 2 : 1;
    return fmt::format("{:.{}f} %", percent, decimals);
}

}  // namespace freehold
