// SPDX-License-Identifier: BSL-1.0
#include "report/sections/figures.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace freehold {

namespace {

// Decimals that show three significant digits of `value`.
int decimals_for(double value) {
    if (value == 0 || !std::isfinite(value)) return 0;
    // Rounding may add a digit: 9.996 has three digits at 10.0, not at 10.00.
    const std::string rounded = fmt::format("{:.2e}", value);
    const int exponent = std::stoi(rounded.substr(rounded.find('e') + 1));
    return std::max(0, 2 - exponent);
}

double rounded_to_three(double value) {
    return std::stod(fmt::format("{:.2e}", value));
}

std::string with_thousands(std::string digits) {
    const auto point = std::min(digits.find('.'), digits.size());
    const std::size_t first = digits.starts_with('-') ? 1 : 0;
    for (auto at = point; at > first + 3; at -= 3) digits.insert(at - 3, 1, ',');
    if (first == 1) {
        if (digits.find_first_of("123456789") == std::string::npos) return digits.substr(1);
        return fmt::format("\u2212{}", digits.substr(1));
    }
    return digits;
}

std::string fixed(double value, int decimals) {
    return with_thousands(fmt::format("{:.{}f}", value, decimals));
}

double half_width(const estimate& figure) {
    return (figure.bounds.high - figure.bounds.low) / 2;
}

}  // namespace

std::string figure_text(double value) {
    if (!std::isfinite(value)) return "unknown";
    return fixed(rounded_to_three(value), decimals_for(value));
}

std::string figure_text(double value, double error) {
    if (!std::isfinite(value) || !std::isfinite(error)) return "unknown";
    int decimals = decimals_for(std::max(std::abs(value), error));
    const int more = error > 0 ? decimals_for(error) - 2 - decimals : 0;
    if (more > 0 && more <= 2) decimals += more;
    return fixed(value, decimals) + " \u00b1 " + fixed(error, decimals);
}

std::string exact_text(double value) {
    if (std::isfinite(value) && value == std::floor(value)) return fixed(value, 0);
    return figure_text(value);
}

std::string percent_text(double fraction) {
    if (!std::isfinite(fraction)) return "unknown";
    const double percent = 100 * fraction;
    const int decimals = std::abs(percent) < 99.95 ? 1 : 0;
    return fmt::format("{}{} %", percent > 0 ? "+" : "", fixed(percent, decimals));
}

table_cell figure_cell(double value) {
    return {figure_text(value), value, {}, {}, {}};
}

table_cell exact_cell(double value) {
    return {exact_text(value), value, {}, {}, {}};
}

table_cell estimate_cell(const estimate& figure) {
    return {figure_text(figure.value), figure.value, figure.bounds.low, figure.bounds.high, {}};
}

estimate with_error(double value, double two_deviations) {
    return {value, {value - two_deviations, value + two_deviations}};
}

table_cell error_cell(const estimate& figure) {
    auto cell = estimate_cell(figure);
    const double error = half_width(figure);
    if (error == 0) return cell;  // it was measured once
    cell.text = figure_text(figure.value, error);
    if (figure.bounds.low <= 0 && figure.bounds.high >= 0) cell.text = "(" + cell.text + ")";
    return cell;
}

std::optional<estimate> ratio(const estimate& a, const estimate& b) {
    if (!(b.bounds.low > 0) || !std::isfinite(a.value)) return std::nullopt;
    const double value = a.value / b.value;
    if (a.bounds.low > 0) {
        const double below =
            std::hypot(std::log(a.value / a.bounds.low), std::log(b.bounds.high / b.value));
        const double above =
            std::hypot(std::log(a.bounds.high / a.value), std::log(b.value / b.bounds.low));
        return estimate{value, {value * std::exp(-below), value * std::exp(above)}};
    }
    const double error = std::hypot(half_width(a) / b.value, value * half_width(b) / b.value);
    return with_error(value, error);
}

estimate difference(const estimate& a, const estimate& b) {
    return with_error(a.value - b.value, std::hypot(half_width(a), half_width(b)));
}

bool overlap(const estimate& a, const estimate& b) {
    return a.bounds.low <= b.bounds.high && b.bounds.low <= a.bounds.high;
}

std::string joined(const std::vector<std::string>& names) {
    std::string text;
    for (std::size_t i = 0; i != names.size(); ++i) {
        if (i != 0) text += i + 1 == names.size() ? " and " : ", ";
        text += names[i];
    }
    return text;
}

}  // namespace freehold
