// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "subjects/handles/std_make_shared.hpp"
#include "subjects/pointer.hpp"

#include <atomic>
#include <memory>
#include <version>

namespace lab::pointers {

struct std_atomic_shared_ptr : pointer_subject {
#ifdef __cpp_lib_atomic_shared_ptr
    static constexpr identity is = {
        .name = "std::atomic of std::shared_ptr", .family = family::standard, .order = 14};

    template <class T>
    using pointer = loaded_pointer<T, std::atomic<std::shared_ptr<T>>, handles::std_make_shared>;
#else
    static constexpr identity is = {.name = "std::atomic of std::shared_ptr",
                                    .family = family::standard,
                                    .order = 14,
                                    .missing = "this standard library has none"};
#endif
};

}  // namespace lab::pointers
