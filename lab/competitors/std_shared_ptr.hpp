// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "competitors/competitor.hpp"

#include <memory>

namespace lab {

struct std_shared_ptr : competitor {
    static constexpr const char* name = "std::shared_ptr";
    static constexpr bool in_single = true;

    template <class T>
    using handle = std::shared_ptr<T>;

    template <class T>
    using weak = std::weak_ptr<T>;
};

}  // namespace lab
