// SPDX-License-Identifier: BSL-1.0
// What it is: the macros by which the headers are used alone or with the compiled core, and the
// inline namespace that contains all declarations.
// When to use it: all public headers include it.
// Example: `g++ -std=c++20 -I include program.cpp`, with the headers alone.
//
// FREEHOLD_HEADER_ONLY is 1 unless it is defined before. The headers then define everything, and
// the compiler needs only `-I include`. The CMake target freehold::freehold and the pkg-config
// package `freehold` define it to 0. They link the core, the library `freehold`, which contains the
// slow paths that do not depend on a type. All units of a program should agree on the value.
//
// FREEHOLD_ABI is an inline namespace of `freehold`. Its name contains all that units must agree on
// to work on the same objects: the ABI's version, and the options that change inline code. Units
// that do not agree use different types. They do not link if one calls the other: see docs/abi.md.
//
// Inside the library, FREEHOLD_API declares a function of the core that inline code calls.
// FREEHOLD_CORE declares one that only the core calls. Both are defined in a header named
// `..._inl.hpp`. If the headers are used alone, the declaring header includes it at its end;
// otherwise only a file of src/ includes it.
#pragma once

#include <freehold/version.hpp>

#if __cplusplus < 202002L && (!defined(_MSVC_LANG) || _MSVC_LANG < 202002L)
#error "freehold needs C++20: add -std=c++20, and use g++ 11, clang++ 14 or a newer compiler"
#endif
#if defined(__SIZEOF_POINTER__) && __SIZEOF_POINTER__ < 8
#error "freehold needs a 64-bit target: compile without -m32 and -mx32, for a processor of 64 bits"
#endif

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

// With the address sanitizer, blocks come from operator new. With the thread sanitizer, biased
// counts are off.
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

// If a function only returns such a type, its symbol contains the name only because of the tag.
#define FREEHOLD_STRING_OF(name) #name
#define FREEHOLD_NAME_AS_STRING(name) FREEHOLD_STRING_OF(name)
namespace freehold {
inline namespace FREEHOLD_ABI __attribute__((abi_tag(FREEHOLD_NAME_AS_STRING(FREEHOLD_ABI)))) {}
}  // namespace freehold
#undef FREEHOLD_STRING_OF
#undef FREEHOLD_NAME_AS_STRING

// An attribute: the compiler always inlines the function if it optimises. In a debug build, a copy
// of the function for each type and each call would cost more compile time than the calls cost run
// time.
#if defined(__OPTIMIZE__)
#define FREEHOLD_INLINED gnu::always_inline
#else
#define FREEHOLD_INLINED
#endif

// An attribute: the function locks or unlocks a mutex for its caller, as before and after a fork.
// clang++'s analysis (-Wthread-safety), which does not know that, leaves the function out.
#if defined(__clang__)
#define FREEHOLD_LOCKS_ACROSS_CALLS clang::no_thread_safety_analysis
#else
#define FREEHOLD_LOCKS_ACROSS_CALLS
#endif
