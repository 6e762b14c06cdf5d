// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <freehold/count/local_count.hpp>
#include <freehold/handle/intrusive_base.hpp>
#include <freehold/handle/intrusive_ptr.hpp>

#include "subjects/handle.hpp"

namespace lab::handles {

struct intrusive : handle_subject {
    static constexpr identity is = {.name = "intrusive", .family = family::strategy, .order = 3};

    template <class T>
    using base = freehold::intrusive_base<T, freehold::local_count>;

    template <class T>
    using handle = freehold::intrusive_ptr<T>;
};

}  // namespace lab::handles
