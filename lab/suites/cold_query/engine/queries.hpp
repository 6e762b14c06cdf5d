// SPDX-License-Identifier: BSL-1.0
// TPC-H's queries 1 and 6 over the files of lineitem, by Arrow's dataset and its engine Acero.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <arrow/filesystem/filesystem.h>

namespace lab::cold_query {

/// As Arrow's date32: days since 1970.
constexpr std::int32_t day_of(int year, unsigned month, unsigned day) {
    return static_cast<std::int32_t>(
        std::chrono::sys_days(std::chrono::year(year) / std::chrono::month(month) /
                              std::chrono::day(day))
            .time_since_epoch()
            .count());
}

/// Q6 takes what was shipped in 1994; Q1 what was shipped until 90 days before December 1998.
inline constexpr std::int32_t q6_begin = day_of(1994, 1, 1);
inline constexpr std::int32_t q6_end = day_of(1995, 1, 1);
inline constexpr std::int32_t q1_last = day_of(1998, 9, 2);

struct query_settings {
    std::string query;  // q1 or q6
    bool on_all_threads = true;
    bool pre_buffer = false;
};

/// The numbers in the result, column by column; the rows of Q1 are in the order of their keys.
/// Opens the files again. Throws std::runtime_error with Arrow's words.
std::vector<std::int64_t> answer(const query_settings& settings,
                                 const std::shared_ptr<arrow::fs::FileSystem>& files,
                                 const std::vector<std::string>& paths);

}  // namespace lab::cold_query
