// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <freehold/handle/atomic_arc.hpp>

#include "subjects/handles/freehold_arc.hpp"
#include "subjects/snapshot_pointer.hpp"

namespace lab::pointers {

struct freehold_atomic_arc_snapshot : pointer_subject {
    static constexpr identity is = {
        .name = "freehold::atomic_arc, snapshot", .family = family::freehold, .order = 23};

    template <class T>
    using pointer = snapshot_pointer<T, freehold::atomic_arc<T>, handles::freehold_arc>;
};

}  // namespace lab::pointers
