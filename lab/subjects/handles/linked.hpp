// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <freehold/handle/linked_ptr.hpp>

#include "subjects/handle.hpp"

namespace lab::handles {

struct linked : handle_subject {
    static constexpr identity is = {.name = "linked", .family = family::strategy, .order = 4};

    template <class T>
    using handle = freehold::linked_ptr<T>;
};

}  // namespace lab::handles
