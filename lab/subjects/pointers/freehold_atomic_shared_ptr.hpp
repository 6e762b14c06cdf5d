// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <freehold/handle/shared_ptr.hpp>

#include "subjects/handles/freehold_make_shared.hpp"
#include "subjects/pointer.hpp"

#include <atomic>

namespace lab::pointers {

struct freehold_atomic_shared_ptr : pointer_subject {
    static constexpr identity is = {
        .name = "freehold::atomic_shared_ptr, load", .family = family::freehold, .order = 25};

    template <class T>
    using pointer =
        loaded_pointer<T, std::atomic<freehold::shared_ptr<T>>, handles::freehold_make_shared>;
};

}  // namespace lab::pointers
