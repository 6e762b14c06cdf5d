// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <freehold/count/atomic_count.hpp>
#include <freehold/handle/intrusive_base.hpp>
#include <freehold/handle/intrusive_ptr.hpp>

#include "competitors/competitor.hpp"

namespace lab {

struct intrusive_atomic : competitor {
    static constexpr const char* name = "intrusive, atomic";

    template <class T>
    using base = freehold::intrusive_base<T, freehold::atomic_count>;

    template <class T>
    using handle = freehold::intrusive_ptr<T>;
};

}  // namespace lab
