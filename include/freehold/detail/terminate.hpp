// SPDX-License-Identifier: BSL-1.0
// What it is: the functions by which the library ends a program that misuses it. They write a line
// to standard error and call std::terminate.
// When to use it: inside the library.
// Exceptions: none.
#pragma once

#include <freehold/config.hpp>

namespace freehold::inline FREEHOLD_ABI::detail {

// Writes "freehold: ", `message` and a newline.
[[noreturn, gnu::cold]] FREEHOLD_API void terminate_with(const char* message) noexcept;

// The core calls this function in place of throwing `exception` if exceptions are disabled. `what`
// is the exception's message.
[[noreturn, gnu::cold]] FREEHOLD_API void terminate_instead_of_throwing(const char* exception,
                                                                        const char* what) noexcept;

}  // namespace freehold::inline FREEHOLD_ABI::detail

#if FREEHOLD_HEADER_ONLY
#include <freehold/detail/no_exceptions_inl.hpp>
#include <freehold/detail/terminate_inl.hpp>
#endif
