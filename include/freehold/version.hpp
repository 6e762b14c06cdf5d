// SPDX-License-Identifier: BSL-1.0
// The version of the library. CMake reads it from here.
//
//     #if FREEHOLD_VERSION >= 200  // 0.2.0 or later
//
// FREEHOLD_ABI_VERSION names the layout of blocks, counts and thread caches, and the functions of
// the core. It changes with every change to one of these. It is part of every symbol, so that
// libraries with different ones live in one process: see docs/abi.md.
#pragma once

#define FREEHOLD_VERSION_MAJOR 0
#define FREEHOLD_VERSION_MINOR 2
#define FREEHOLD_VERSION_PATCH 0
#define FREEHOLD_VERSION \
    (FREEHOLD_VERSION_MAJOR * 10000 + FREEHOLD_VERSION_MINOR * 100 + FREEHOLD_VERSION_PATCH)

#define FREEHOLD_ABI_VERSION 3
