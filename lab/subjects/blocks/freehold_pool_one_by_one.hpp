// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "subjects/blocks/freehold_pool.hpp"

namespace lab::blocks {

/// Measured only across threads. On one thread it does the same as `freehold::pool`.
struct freehold_pool_one_by_one {
    static constexpr identity is = {
        .name = "freehold::pool, one by one", .family = family::freehold, .order = 13};
    static constexpr bool only_across = true;
    template <std::size_t BlockBytes>
    using source = packets::one_by_one<freehold_blocks<BlockBytes>>;
};

}  // namespace lab::blocks
