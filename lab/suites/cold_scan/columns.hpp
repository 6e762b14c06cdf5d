// SPDX-License-Identifier: BSL-1.0
// The data that is scanned, and the scan. A line is a row group: a column of quantities and one of
// prices, of 64-bit integers in the machine's order, one after the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace lab::cold_scan {

inline constexpr std::size_t line_bytes = std::size_t{8} << 20;

/// Makes the row group of that number, the same wherever it is made.
void fill_row_group(std::span<std::byte> line, std::uint64_t number);

/// The sum of the prices of all rows whose quantity is below a limit that three in ten are below.
/// Reads no further than the compiler's vector instructions let it be: the memory decides.
std::int64_t sum_of_prices(std::span<const std::byte> line);

}  // namespace lab::cold_scan
