// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <freehold/count/biased_count.hpp>
#include <freehold/handle/intrusive_base.hpp>
#include <freehold/handle/intrusive_ptr.hpp>

#include "competitors/competitor.hpp"

namespace lab {

struct intrusive_biased : competitor {
    static constexpr const char* name = "intrusive, biased";

    template <class T>
    using base = freehold::intrusive_base<T, freehold::biased_count>;

    template <class T>
    using handle = freehold::intrusive_ptr<T>;
};

}  // namespace lab
