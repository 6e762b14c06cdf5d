// SPDX-License-Identifier: BSL-1.0
// How the library ends a program that misuses it: a line on standard error, and std::terminate.
#pragma once

#include <freehold/config.hpp>

namespace freehold::inline FREEHOLD_ABI::detail {

// Writes "freehold: ", `message` and a newline.
[[noreturn, gnu::cold]] FREEHOLD_API void terminate_with(const char* message) noexcept;

// In place of throwing `exception`, which says `what`, where exceptions are disabled.
[[noreturn, gnu::cold]] FREEHOLD_API void terminate_instead_of_throwing(const char* exception,
                                                                        const char* what) noexcept;

}  // namespace freehold::inline FREEHOLD_ABI::detail

#if FREEHOLD_HEADER_ONLY
#include <freehold/terminate_inl.hpp>
#endif
