// SPDX-License-Identifier: BSL-1.0
// A monotonic clock for waits of less than a microsecond.
#pragma once

#include <freehold/config.hpp>

#include <cstdint>

#if defined(_WIN32)
#include <chrono>
#else
#include <ctime>
#endif

namespace freehold::inline FREEHOLD_ABI::detail {

// Returns the nanoseconds since an unspecified moment; they never decrease. <chrono> is a long
// header, so only Windows, which lacks clock_gettime, includes it.
[[nodiscard]] inline std::uint64_t nanoseconds_now() noexcept {
#if defined(_WIN32)
    return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                          std::chrono::steady_clock::now().time_since_epoch())
                                          .count());
#else
    timespec now{};
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 +
           static_cast<std::uint64_t>(now.tv_nsec);
#endif
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
