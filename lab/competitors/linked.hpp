// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <freehold/handle/linked_ptr.hpp>

#include "competitors/competitor.hpp"

namespace lab {

struct linked : competitor {
    static constexpr const char* name = "linked";

    template <class T>
    using handle = freehold::linked_ptr<T>;
};

}  // namespace lab
