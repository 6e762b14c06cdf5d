// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <freehold/count/local_count.hpp>

#include "subjects/handles/freehold_arc.hpp"

namespace lab::handles {

struct freehold_arc_local : freehold_arc_of<freehold::local_count> {
    static constexpr identity is = {
        .name = "freehold::arc, local", .family = family::freehold, .order = 9};
};

}  // namespace lab::handles
