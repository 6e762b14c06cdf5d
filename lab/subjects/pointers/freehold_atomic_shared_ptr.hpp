// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <freehold/handle/atomic_shared_ptr.hpp>

#include "subjects/handles/freehold_make_shared.hpp"
#include "subjects/pointer.hpp"

namespace lab::pointers {

struct freehold_atomic_shared_ptr : pointer_subject {
    static constexpr identity is = {
        .name = "freehold::atomic_shared_ptr, load", .family = family::freehold, .order = 26};

    template <class T>
    using pointer =
        loaded_pointer<T, freehold::atomic_shared_ptr<T>, handles::freehold_make_shared>;
};

}  // namespace lab::pointers
