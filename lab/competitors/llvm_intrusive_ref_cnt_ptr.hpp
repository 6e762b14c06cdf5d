// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "competitors/competitor.hpp"

#ifdef FREEHOLD_LAB_HAS_LLVM
#include <llvm/ADT/IntrusiveRefCntPtr.h>
#endif

namespace lab {

struct llvm_intrusive_ref_cnt_ptr : competitor {
    static constexpr const char* name = "llvm::IntrusiveRefCntPtr";

#ifdef FREEHOLD_LAB_HAS_LLVM
    template <class T>
    using base = llvm::RefCountedBase<T>;

    template <class T>
    using handle = llvm::IntrusiveRefCntPtr<T>;
#else
    static constexpr const char* missing = "install LLVM's headers (Debian: llvm-14-dev)";
#endif
};

}  // namespace lab
