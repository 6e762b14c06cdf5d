// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <freehold/count/biased_count.hpp>
#include <freehold/handle/arc.hpp>

#include "competitors/competitor.hpp"

#include <utility>

namespace lab {

struct freehold_arc_biased : competitor {
    static constexpr const char* name = "freehold::arc, biased";

    template <class T>
    using handle = freehold::arc<T, freehold::biased_count>;

    template <class T>
    using weak = freehold::weak_arc<T, freehold::biased_count>;

    template <class T, class... Arguments>
    static handle<T> make(Arguments&&... arguments) {
        return freehold::make_arc<T, freehold::biased_count>(std::forward<Arguments>(arguments)...);
    }
};

}  // namespace lab
