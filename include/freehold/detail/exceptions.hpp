// SPDX-License-Identifier: BSL-1.0
// What it is: macros by which the handles, counts and pools compile with exceptions disabled
// (-fno-exceptions). A function that would throw then ends the program, with a line on standard
// error that names the exception.
// When to use it: inside the library.
// When not: the caches and their sources need exceptions.
#pragma once

#include <freehold/config.hpp>

#if defined(__cpp_exceptions)

#define FREEHOLD_TRY try
#define FREEHOLD_CATCH(what) catch (what)
#define FREEHOLD_RETHROW throw
#define FREEHOLD_THROW(...) throw __VA_ARGS__

#else

#include <freehold/detail/terminate.hpp>

#define FREEHOLD_TRY if constexpr (true)
#define FREEHOLD_CATCH(what) if constexpr (false)
#define FREEHOLD_RETHROW static_cast<void>(0)
#define FREEHOLD_THROW(...) \
    ::freehold::detail::terminate_instead_of_throwing(#__VA_ARGS__, (__VA_ARGS__).what())

#endif
