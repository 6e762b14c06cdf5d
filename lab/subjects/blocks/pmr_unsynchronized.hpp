// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "subjects/pmr_pool.hpp"

namespace lab::blocks {

struct pmr_unsynchronized {
    static constexpr identity is = {
        .name = "std::pmr::unsynchronized_pool_resource", .family = family::standard, .order = 19};
    static constexpr bool one_thread = true;
    template <std::size_t BlockBytes>
    using source =
        packets::one_by_one<pmr_blocks<std::pmr::unsynchronized_pool_resource, BlockBytes>>;
};

}  // namespace lab::blocks
