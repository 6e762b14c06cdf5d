// SPDX-License-Identifier: BSL-1.0
// How the headers are used: with the compiled core, or alone.
//
// FREEHOLD_HEADER_ONLY is 1 unless it is defined before: the headers then define everything, and
// `-I include` is all that a compiler needs. The CMake target freehold::freehold and the pkg-config
// package `freehold` define it to 0 and link the core, the library `freehold`, which holds the slow
// paths that do not depend on a type. All units of a program should agree.
//
// Inside the library, FREEHOLD_API declares a function of the core that inline code calls, and
// FREEHOLD_CORE one that only the core calls. Both are defined in a header named `..._inl.hpp`,
// which is included at the end of the one that declares them where the headers are used alone, and
// otherwise by src/freehold.cpp only.
#pragma once

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
