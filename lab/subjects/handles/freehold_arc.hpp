// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <freehold/count/atomic_count.hpp>
#include <freehold/handle/arc.hpp>

#include "subjects/handle.hpp"

#include <utility>

namespace lab::handles {

template <class Count>
struct freehold_arc_of : handle_subject {
    template <class T>
    using handle = freehold::arc<T, Count>;

    template <class T>
    using weak = freehold::weak_arc<T, Count>;

    template <class T, class... Arguments>
    static handle<T> make(Arguments&&... arguments) {
        return freehold::make_arc<T, Count>(std::forward<Arguments>(arguments)...);
    }
};

struct freehold_arc : freehold_arc_of<freehold::atomic_count> {
    static constexpr identity is = {.name = "freehold::arc",
                                    .family = family::freehold,
                                    .order = 8,
                                    .single = true,
                                    .threads = true};
};

}  // namespace lab::handles
