// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <freehold/count/atomic_count.hpp>
#include <freehold/handle/counted_ptr.hpp>

#include "competitors/competitor.hpp"

namespace lab {

struct simple_counted_atomic : competitor {
    static constexpr const char* name = "simple counted, atomic";

    template <class T>
    using handle = freehold::counted_ptr<T, freehold::atomic_count>;
};

}  // namespace lab
