// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <freehold/count/local_count.hpp>
#include <freehold/handle/counted_ptr.hpp>

#include "competitors/competitor.hpp"

namespace lab {

struct simple_counted : competitor {
    static constexpr const char* name = "simple counted";

    template <class T>
    using handle = freehold::counted_ptr<T, freehold::local_count>;
};

}  // namespace lab
