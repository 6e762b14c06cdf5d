// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <freehold/handle/atomic_shared_ptr.hpp>

#include "subjects/handles/freehold_make_shared.hpp"
#include "subjects/snapshot_pointer.hpp"

namespace lab::pointers {

struct freehold_atomic_shared_ptr_snapshot : pointer_subject {
    static constexpr identity is = {
        .name = "freehold::atomic_shared_ptr, snapshot", .family = family::freehold, .order = 25};

    template <class T>
    using pointer =
        snapshot_pointer<T, freehold::atomic_shared_ptr<T>, handles::freehold_make_shared>;
};

}  // namespace lab::pointers
