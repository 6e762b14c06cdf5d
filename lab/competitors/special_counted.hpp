// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <freehold/count/local_count.hpp>
#include <freehold/handle/counted_ptr.hpp>
#include <freehold/memory/common_pool_allocator.hpp>

#include "competitors/competitor.hpp"

#include <cstddef>

namespace lab {

struct special_counted : competitor {
    static constexpr const char* name = "special counted";

    template <class T>
    using handle =
        freehold::counted_ptr<T, freehold::local_count, freehold::common_pool_allocator<std::byte>>;
};

}  // namespace lab
