// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <freehold/count/atomic_count.hpp>
#include <freehold/handle/intrusive_base.hpp>
#include <freehold/handle/intrusive_ptr.hpp>

#include "subjects/handle.hpp"

namespace lab::handles {

struct intrusive_atomic : handle_subject {
    static constexpr identity is = {.name = "intrusive, atomic",
                                    .family = family::atomic_strategy,
                                    .order = 3,
                                    .single = true,
                                    .threads = true};

    template <class T>
    using base = freehold::intrusive_base<T, freehold::atomic_count>;

    template <class T>
    using handle = freehold::intrusive_ptr<T>;
};

}  // namespace lab::handles
