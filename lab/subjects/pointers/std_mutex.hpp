// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "subjects/locked_pointer.hpp"

#include <mutex>

namespace lab::pointers {

struct std_mutex : pointer_subject {
    static constexpr identity is = {
        .name = "std::mutex and std::shared_ptr", .family = family::standard, .order = 15};

    template <class T>
    using pointer = locked_pointer<T, std::mutex, std::lock_guard>;
};

}  // namespace lab::pointers
