// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <freehold/handle/dumb_ptr.hpp>

#include "competitors/competitor.hpp"

namespace lab {

struct dumb : competitor {
    static constexpr const char* name = "dumb";
    static constexpr bool in_single = true;

    template <class T>
    using handle = freehold::dumb_ptr<T>;

    template <class T>
    static void abandon(freehold::dumb_ptr<T>& last) noexcept {
        last.dispose();
    }
};

}  // namespace lab
