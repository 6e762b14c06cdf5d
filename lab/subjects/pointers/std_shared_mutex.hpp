// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "subjects/locked_pointer.hpp"

#include <shared_mutex>

namespace lab::pointers {

struct std_shared_mutex : pointer_subject {
    static constexpr identity is = {
        .name = "std::shared_mutex and std::shared_ptr", .family = family::standard, .order = 16};

    template <class T>
    using pointer = locked_pointer<T, std::shared_mutex, std::shared_lock>;
};

}  // namespace lab::pointers
