// SPDX-License-Identifier: BSL-1.0
// The table lineitem of TPC-H, made up with a fixed seed, as Parquet files: columns, value ranges
// and dependences between columns are TPC-H's, the values are not dbgen's. Money is in hundredths,
// as 64-bit integers, so that every sum is exact.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace lab::cold_query {

/// Arrow's own default for a row group, and row groups in a file.
inline constexpr std::int64_t rows_of_a_group = std::int64_t{1} << 20;
inline constexpr int groups_of_a_file = 2;

/// Snappy, with dictionaries where Arrow chooses them; or neither, so that decoding takes little.
enum class encoding { snappy, plain };

/// What the queries have to find, by columns: of Q6 one number, of Q1 a row for each group.
struct expected_results {
    std::vector<std::int64_t> q6;
    std::vector<std::int64_t> q1;
};

struct written_table {
    std::vector<std::string> files;  // names in the folder
    std::uint64_t bytes = 0;
    expected_results results;
};

/// Writes files until they have at least so many bytes, and `sample.parquet` of few rows, which is
/// not part of the table. Throws std::runtime_error with Arrow's words.
written_table write_lineitem(const std::filesystem::path& folder, std::uint64_t bytes,
                             encoding how);

}  // namespace lab::cold_query
