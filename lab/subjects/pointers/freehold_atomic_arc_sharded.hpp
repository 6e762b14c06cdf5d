// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <freehold/count/sharded_count.hpp>
#include <freehold/handle/atomic_arc.hpp>

#include "subjects/handles/freehold_arc_sharded.hpp"
#include "subjects/pointer.hpp"

namespace lab::pointers {

struct freehold_atomic_arc_sharded : pointer_subject {
    static constexpr identity is = {
        .name = "freehold::atomic_arc, sharded, load", .family = family::freehold, .order = 27};

    template <class T>
    using pointer = loaded_pointer<T, freehold::atomic_arc<T, freehold::sharded_count>,
                                   handles::freehold_arc_sharded>;
};

}  // namespace lab::pointers
