// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <freehold/count/local_count.hpp>
#include <freehold/handle/counted_ptr.hpp>
#include <freehold/memory/common_pool_allocator.hpp>

#include "subjects/handle.hpp"

#include <cstddef>

namespace lab::handles {

struct special_counted : handle_subject {
    static constexpr identity is = {
        .name = "special counted", .family = family::strategy, .order = 2};

    template <class T>
    using handle =
        freehold::counted_ptr<T, freehold::local_count, freehold::common_pool_allocator<std::byte>>;
};

}  // namespace lab::handles
