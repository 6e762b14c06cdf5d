// SPDX-License-Identifier: BSL-1.0
// Returns the number of page faults of the calling thread, or 0 if the system does not count them
// for each thread. The system call takes 0.2 us.
#pragma once

#include <freehold/config.hpp>

#include <cstdint>

#if !defined(_WIN32)
#include <sys/resource.h>
#endif

namespace freehold::inline FREEHOLD_ABI::detail {

[[nodiscard]] inline std::uint64_t page_faults_of_this_thread() noexcept {
#if defined(RUSAGE_THREAD)
    rusage usage{};
    if (::getrusage(RUSAGE_THREAD, &usage) == 0) {
        return static_cast<std::uint64_t>(usage.ru_minflt + usage.ru_majflt);
    }
#endif
    return 0;
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
