// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <freehold/count/local_count.hpp>
#include <freehold/handle/counted_ptr.hpp>

#include "subjects/handle.hpp"

namespace lab::handles {

struct simple_counted : handle_subject {
    static constexpr identity is = {
        .name = "simple counted", .family = family::strategy, .order = 1};

    template <class T>
    using handle = freehold::counted_ptr<T, freehold::local_count>;
};

}  // namespace lab::handles
