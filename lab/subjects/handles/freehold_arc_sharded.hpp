// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <freehold/count/sharded_count.hpp>
#include <freehold/handle/anchor.hpp>

#include "subjects/handles/freehold_arc.hpp"

namespace lab::handles {

struct freehold_arc_sharded : freehold_arc_of<freehold::sharded_count> {
    static constexpr identity is = {
        .name = "freehold::arc, sharded", .family = family::freehold, .order = 11, .threads = true};

    template <class Handle>
    static auto share_out(const Handle& owner) noexcept {
        return freehold::anchor(owner);
    }
};

}  // namespace lab::handles
