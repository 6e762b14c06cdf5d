// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <freehold/count/atomic_count.hpp>
#include <freehold/handle/shared_ptr.hpp>

#include "competitors/competitor.hpp"

namespace lab {

struct freehold_shared_ptr : competitor {
    static constexpr const char* name = "freehold::shared_ptr";

    template <class T>
    using handle = freehold::shared_ptr<T, freehold::atomic_count>;

    template <class T>
    using weak = freehold::weak_ptr<T, freehold::atomic_count>;
};

}  // namespace lab
