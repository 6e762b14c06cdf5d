// SPDX-License-Identifier: BSL-1.0
// Amounts in words: three digits at most, and a unit that needs no more.
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

/// "1,234"; below 100 with as many decimals as make three digits.
[[nodiscard]] std::string count_text(double count);

/// "96.4 %", from 0.964; near 1 with as many digits as it takes to tell it from 100 %.
[[nodiscard]] std::string share_text(double share);

}  // namespace freehold
