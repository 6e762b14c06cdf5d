// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <freehold/handle/atomic_arc.hpp>

#include "subjects/handles/freehold_arc.hpp"
#include "subjects/pointer.hpp"

namespace lab::pointers {

struct freehold_atomic_arc : pointer_subject {
    static constexpr identity is = {
        .name = "freehold::atomic_arc, load", .family = family::freehold, .order = 24};

    template <class T>
    using pointer = loaded_pointer<T, freehold::atomic_arc<T>, handles::freehold_arc>;
};

}  // namespace lab::pointers
