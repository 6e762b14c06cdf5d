// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <freehold/count/local_count.hpp>
#include <freehold/handle/shared_ptr.hpp>

#include "competitors/competitor.hpp"

namespace lab {

struct freehold_shared_ptr_local : competitor {
    static constexpr const char* name = "freehold::shared_ptr, local";

    template <class T>
    using handle = freehold::shared_ptr<T, freehold::local_count>;

    template <class T>
    using weak = freehold::weak_ptr<T, freehold::local_count>;
};

}  // namespace lab
