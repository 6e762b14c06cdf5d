// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <freehold/handle/cyclic_ptr.hpp>

#include "subjects/handle.hpp"

namespace lab::handles {

struct cyclic : handle_subject {
    static constexpr identity is = {.name = "cyclic", .family = family::strategy, .order = 5};

    template <class T>
    using handle = freehold::cyclic_ptr<T>;

    template <class T>
    using weak = freehold::weak_cyclic_ptr<T>;
};

}  // namespace lab::handles
