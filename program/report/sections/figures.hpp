// SPDX-License-Identifier: BSL-1.0
// How a report writes numbers: three significant digits, no exponent, commas between thousands, a
// true minus sign.
#pragma once

#include "analyse/median_interval.hpp"
#include "report/model.hpp"

#include <string>

namespace freehold {

/// A value with its interval.
using analyse::estimate;

[[nodiscard]] std::string figure_text(double value);

/// `value ± error`, with three significant digits of the larger number. It has one or two more
/// decimals if they are enough to show the first digit of the error.
[[nodiscard]] std::string figure_text(double value, double error);

/// Writes a whole number, such as a count of bytes, without rounding. Other numbers have three
/// significant digits.
[[nodiscard]] std::string exact_text(double value);

/// `+5.2 %`, from 0.052.
[[nodiscard]] std::string percent_text(double fraction);

[[nodiscard]] table_cell figure_cell(double value);
[[nodiscard]] table_cell exact_cell(double value);
[[nodiscard]] table_cell estimate_cell(const estimate& figure);

/// A value with an interval of two standard deviations on each side.
[[nodiscard]] estimate with_error(double value, double two_deviations);
/// `value ± error`; in parentheses if the interval includes zero.
[[nodiscard]] table_cell error_cell(const estimate& figure);

/// a / b, if the errors are independent. The errors of the logarithms add in squares, so the ratio
/// of two positive figures has a positive interval. If a's interval includes zero, the relative
/// errors add in squares. Empty if b's interval includes zero, because the ratio could then have
/// any value.
[[nodiscard]] std::optional<estimate> ratio(const estimate& a, const estimate& b);
[[nodiscard]] estimate difference(const estimate& a, const estimate& b);

[[nodiscard]] bool overlap(const estimate& a, const estimate& b);

/// "a", "a and b", "a, b and c"
[[nodiscard]] std::string joined(const std::vector<std::string>& names);

}  // namespace freehold
