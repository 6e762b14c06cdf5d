// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <freehold/count/atomic_count.hpp>
#include <freehold/handle/counted_ptr.hpp>

#include "subjects/handle.hpp"

namespace lab::handles {

struct simple_counted_atomic : handle_subject {
    static constexpr identity is = {.name = "simple counted, atomic",
                                    .family = family::atomic_strategy,
                                    .order = 1,
                                    .folded = true};

    template <class T>
    using handle = freehold::counted_ptr<T, freehold::atomic_count>;
};

}  // namespace lab::handles
