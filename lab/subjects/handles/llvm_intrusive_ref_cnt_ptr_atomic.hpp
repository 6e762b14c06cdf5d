// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "subjects/handle.hpp"
#include "subjects/llvm.hpp"

namespace lab::handles {

struct llvm_intrusive_ref_cnt_ptr_atomic : handle_subject {
    static constexpr identity is = {.name = "llvm::IntrusiveRefCntPtr, atomic",
                                    .family = family::other,
                                    .order = 12,
                                    .folded = true,
                                    .from = &llvm_headers};

#if LAB_HAS_LLVM
    template <class T>
    using base = llvm::ThreadSafeRefCountedBase<T>;

    template <class T>
    using handle = llvm::IntrusiveRefCntPtr<T>;
#endif
};

}  // namespace lab::handles
