// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <freehold/count/local_count.hpp>
#include <freehold/handle/arc.hpp>

#include "competitors/competitor.hpp"

#include <utility>

namespace lab {

struct freehold_arc_local : competitor {
    static constexpr const char* name = "freehold::arc, local";

    template <class T>
    using handle = freehold::arc<T, freehold::local_count>;

    template <class T>
    using weak = freehold::weak_arc<T, freehold::local_count>;

    template <class T, class... Arguments>
    static handle<T> make(Arguments&&... arguments) {
        return freehold::make_arc<T, freehold::local_count>(std::forward<Arguments>(arguments)...);
    }
};

}  // namespace lab
