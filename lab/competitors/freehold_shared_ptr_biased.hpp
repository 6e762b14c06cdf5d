// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <freehold/count/biased_count.hpp>
#include <freehold/handle/shared_ptr.hpp>

#include "competitors/competitor.hpp"

namespace lab {

struct freehold_shared_ptr_biased : competitor {
    static constexpr const char* name = "freehold::shared_ptr, biased";

    template <class T>
    using handle = freehold::shared_ptr<T, freehold::biased_count>;

    template <class T>
    using weak = freehold::weak_ptr<T, freehold::biased_count>;
};

}  // namespace lab
