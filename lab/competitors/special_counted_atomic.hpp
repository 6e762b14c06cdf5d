// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <freehold/count/atomic_count.hpp>
#include <freehold/handle/counted_ptr.hpp>
#include <freehold/memory/common_pool_allocator.hpp>

#include "competitors/competitor.hpp"

#include <cstddef>

namespace lab {

struct special_counted_atomic : competitor {
    static constexpr const char* name = "special counted, atomic";

    template <class T>
    using handle = freehold::counted_ptr<T, freehold::atomic_count,
                                         freehold::common_pool_allocator<std::byte>>;
};

}  // namespace lab
