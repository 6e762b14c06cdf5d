// SPDX-License-Identifier: BSL-1.0
// How the handles, counts and pools are compiled where exceptions are disabled (-fno-exceptions):
// what would throw ends the program instead, with a line on standard error that names the
// exception.
//
// The caches and their sources take exceptions.
#pragma once

#include <freehold/config.hpp>

#if defined(__cpp_exceptions)

#define FREEHOLD_TRY try
#define FREEHOLD_CATCH(what) catch (what)
#define FREEHOLD_RETHROW throw
#define FREEHOLD_THROW(...) throw __VA_ARGS__

#else

#include <freehold/terminate.hpp>

#define FREEHOLD_TRY if constexpr (true)
#define FREEHOLD_CATCH(what) if constexpr (false)
#define FREEHOLD_RETHROW static_cast<void>(0)
#define FREEHOLD_THROW(...) \
    ::freehold::detail::terminate_instead_of_throwing(#__VA_ARGS__, (__VA_ARGS__).what())

#endif
