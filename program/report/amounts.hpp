// SPDX-License-Identifier: BSL-1.0
// Amounts as text: at most three digits, and a unit that fits them.
#pragma once

#include <cstdint>
#include <string>

namespace freehold {

/// "100 B", "12.3 KiB", "64 MiB".
[[nodiscard]] std::string bytes_text(double bytes);
[[nodiscard]] inline std::string bytes_text(std::uint64_t bytes) {
    return bytes_text(static_cast<double>(bytes));
}

/// "7.2 ns", "3.4 ms", "12 s".
[[nodiscard]] std::string time_text(double nanoseconds);

struct time_unit {
    const char* name;
    double nanoseconds;
};

/// Returns the unit in which time_text writes such a time.
[[nodiscard]] time_unit unit_of_time(double nanoseconds);

/// "1,234". Below 100, decimals fill up to three digits.
[[nodiscard]] std::string count_text(double count);
[[nodiscard]] inline std::string count_text(std::uint64_t count) {
    return count_text(static_cast<double>(count));
}

/// "1 line", "2 lines"; "1 copy", "2 copies".
[[nodiscard]] std::string number_of(std::uint64_t count, std::string noun);

/// "96.4 %" for 0.964. Near 1 it has as many digits as are needed to distinguish it from 100 %.
[[nodiscard]] std::string share_text(double share);

}  // namespace freehold
