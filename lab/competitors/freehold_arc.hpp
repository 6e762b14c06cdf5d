// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <freehold/count/atomic_count.hpp>
#include <freehold/handle/arc.hpp>

#include "competitors/competitor.hpp"

#include <utility>

namespace lab {

struct freehold_arc : competitor {
    static constexpr const char* name = "freehold::arc";

    template <class T>
    using handle = freehold::arc<T, freehold::atomic_count>;

    template <class T>
    using weak = freehold::weak_arc<T, freehold::atomic_count>;

    template <class T, class... Arguments>
    static handle<T> make(Arguments&&... arguments) {
        return freehold::make_arc<T, freehold::atomic_count>(std::forward<Arguments>(arguments)...);
    }
};

}  // namespace lab
