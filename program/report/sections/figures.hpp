// SPDX-License-Identifier: BSL-1.0
// How numbers are written in a report: three significant digits, no exponent, thousands separated
// by commas, a true minus sign.
#pragma once

#include "analyse/median_interval.hpp"
#include "report/model.hpp"

#include <string>

namespace freehold {

/// A value with the interval it lies in.
using analyse::estimate;

[[nodiscard]] std::string figure_text(double value);

/// `value ± error`, three significant digits of the larger of them; one or two more decimals where
/// they are enough to show the first digit of the error.
[[nodiscard]] std::string figure_text(double value, double error);

/// A whole number with nothing rounded away, such as a count of bytes; other numbers as they are.
[[nodiscard]] std::string exact_text(double value);

/// `+5.2 %`, from 0.052.
[[nodiscard]] std::string percent_text(double fraction);

[[nodiscard]] table_cell figure_cell(double value);
[[nodiscard]] table_cell exact_cell(double value);
[[nodiscard]] table_cell estimate_cell(const estimate& figure);

/// A value with two standard deviations either side.
[[nodiscard]] estimate with_error(double value, double two_deviations);
[[nodiscard]] table_cell error_cell(const estimate& figure);

/// a / b, the relative errors taken for independent. Nothing if b's interval reaches down to zero:
/// such a ratio could be anything.
[[nodiscard]] std::optional<estimate> ratio(const estimate& a, const estimate& b);
[[nodiscard]] estimate difference(const estimate& a, const estimate& b);

[[nodiscard]] bool overlap(const estimate& a, const estimate& b);

/// "a", "a and b", "a, b and c"
[[nodiscard]] std::string joined(const std::vector<std::string>& names);

}  // namespace freehold
