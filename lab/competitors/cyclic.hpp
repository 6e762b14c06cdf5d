// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <freehold/handle/cyclic_ptr.hpp>

#include "competitors/competitor.hpp"

namespace lab {

struct cyclic : competitor {
    static constexpr const char* name = "cyclic";

    template <class T>
    using handle = freehold::cyclic_ptr<T>;

    template <class T>
    using weak = freehold::weak_cyclic_ptr<T>;
};

}  // namespace lab
