// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <freehold/count/biased_count.hpp>
#include <freehold/handle/intrusive_base.hpp>
#include <freehold/handle/intrusive_ptr.hpp>

#include "subjects/handle.hpp"

namespace lab::handles {

struct intrusive_biased : handle_subject {
    static constexpr identity is = {.name = "intrusive, biased",
                                    .family = family::freehold,
                                    .order = 34,
                                    .folded = true,
                                    .threads = true};

    template <class T>
    using base = freehold::intrusive_base<T, freehold::biased_count>;

    template <class T>
    using handle = freehold::intrusive_ptr<T>;
};

}  // namespace lab::handles
