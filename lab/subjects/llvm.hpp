// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "runner/subject.hpp"

#ifdef FREEHOLD_LAB_HAS_LLVM
#define LAB_HAS_LLVM 1
#include <llvm/ADT/IntrusiveRefCntPtr.h>
#include <llvm/Config/llvm-config.h>
#else
#define LAB_HAS_LLVM 0
#endif

namespace lab {

#if LAB_HAS_LLVM
inline constexpr origin llvm_headers = {"LLVM", LLVM_VERSION_STRING, ""};
#else
inline constexpr origin llvm_headers = {
    "LLVM", "", LAB_ONLY_IN_FULL("install LLVM's headers (Debian: llvm-14-dev)")};
#endif

}  // namespace lab
