// SPDX-License-Identifier: BSL-1.0
// How the headers are used: with the compiled core, or alone; and the namespace of all they
// declare.
//
// FREEHOLD_HEADER_ONLY is 1 unless it is defined before: the headers then define everything, and
// `-I include` is all that a compiler needs. The CMake target freehold::freehold and the pkg-config
// package `freehold` define it to 0 and link the core, the library `freehold`, which holds the slow
// paths that do not depend on a type. All units of a program should agree.
//
// FREEHOLD_ABI is an inline namespace of `freehold`. Its name says all that units must agree on to
// work on the same objects: the ABI's version, and what changes inline code. Units that do not
// agree use different types, and do not link where one calls the other: see docs/abi.md.
//
// Inside the library, FREEHOLD_API declares a function of the core that inline code calls, and
// FREEHOLD_CORE one that only the core calls. Both are defined in a header named `..._inl.hpp`,
// which is included at the end of the one that declares them where the headers are used alone, and
// otherwise by src/freehold.cpp only.
#pragma once

#include <freehold/version.hpp>

#ifndef FREEHOLD_HEADER_ONLY
#define FREEHOLD_HEADER_ONLY 1
#endif

#if FREEHOLD_HEADER_ONLY
#define FREEHOLD_API inline
#define FREEHOLD_CORE inline
#else
#define FREEHOLD_API [[gnu::visibility("default")]]
#define FREEHOLD_CORE
#endif

// The address sanitizer takes blocks from operator new; the thread sanitizer turns biased counts
// off.
#if defined(__SANITIZE_ADDRESS__)
#define FREEHOLD_ABI_SANITIZER _asan
#elif defined(__SANITIZE_THREAD__)
#define FREEHOLD_ABI_SANITIZER _tsan
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FREEHOLD_ABI_SANITIZER _asan
#elif __has_feature(thread_sanitizer)
#define FREEHOLD_ABI_SANITIZER _tsan
#elif __has_feature(memory_sanitizer)
#define FREEHOLD_ABI_SANITIZER _msan
#endif
#endif
#ifndef FREEHOLD_ABI_SANITIZER
#define FREEHOLD_ABI_SANITIZER
#endif

#ifdef FREEHOLD_CHECKED
#define FREEHOLD_ABI_CHECKED _checked
#else
#define FREEHOLD_ABI_CHECKED
#endif

#ifdef FREEHOLD_VALGRIND
#define FREEHOLD_ABI_VALGRIND _valgrind
#else
#define FREEHOLD_ABI_VALGRIND
#endif

#if FREEHOLD_HEADER_ONLY
#define FREEHOLD_ABI_FORM _headers
#else
#define FREEHOLD_ABI_FORM
#endif

#define FREEHOLD_ABI_JOINED(version, form, sanitizer, checked, valgrind) \
    abi##version##form##sanitizer##checked##valgrind
#define FREEHOLD_ABI_NAMED(version, form, sanitizer, checked, valgrind) \
    FREEHOLD_ABI_JOINED(version, form, sanitizer, checked, valgrind)
#define FREEHOLD_ABI                                                                    \
    FREEHOLD_ABI_NAMED(FREEHOLD_ABI_VERSION, FREEHOLD_ABI_FORM, FREEHOLD_ABI_SANITIZER, \
                       FREEHOLD_ABI_CHECKED, FREEHOLD_ABI_VALGRIND)

// The tag makes the name part of the symbol of a function that only returns such a type, too.
#define FREEHOLD_STRING_OF(name) #name
#define FREEHOLD_NAME_AS_STRING(name) FREEHOLD_STRING_OF(name)
namespace freehold {
inline namespace FREEHOLD_ABI __attribute__((abi_tag(FREEHOLD_NAME_AS_STRING(FREEHOLD_ABI)))) {}
}  // namespace freehold
#undef FREEHOLD_STRING_OF
#undef FREEHOLD_NAME_AS_STRING

// An attribute: inlined by force, where the compiler optimises. Elsewhere a copy of the function
// for each type and each call would take debug builds longer to compile than its calls take them to
// run.
#if defined(__OPTIMIZE__)
#define FREEHOLD_INLINED gnu::always_inline
#else
#define FREEHOLD_INLINED
#endif
