// SPDX-License-Identifier: BSL-1.0
// The type of a thread's number: see thread.hpp.
#pragma once

#include <freehold/config.hpp>

#include <cstdint>

#if !defined(_WIN32)
#include <sys/types.h>
#endif

namespace freehold::inline FREEHOLD_ABI::detail {

#if defined(_WIN32)
using thread_number = std::uint32_t;
#elif defined(__APPLE__)
using thread_number = std::uint64_t;
#else
using thread_number = pid_t;
#endif

}  // namespace freehold::inline FREEHOLD_ABI::detail
