// SPDX-License-Identifier: BSL-1.0
// The scanned data, and the scan. A line is a row group: a column of quantities, followed by one of
// prices. Both hold 64-bit integers in the machine's byte order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace lab::cold_scan {

inline constexpr std::size_t line_bytes = std::size_t{8} << 20;

/// Makes the row group of that number. Every caller gets the same bytes.
void fill_row_group(std::span<std::byte> line, std::uint64_t number);

/// Returns the sum of the prices of all rows with a quantity below a limit. Three in ten are below
/// it. The loop uses the compiler's vector instructions, so that the memory limits its speed.
std::int64_t sum_of_prices(std::span<const std::byte> line);

}  // namespace lab::cold_scan
