// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <freehold/count/biased_count.hpp>

#include "subjects/handles/freehold_arc.hpp"

namespace lab::handles {

struct freehold_arc_biased : freehold_arc_of<freehold::biased_count> {
    static constexpr identity is = {
        .name = "freehold::arc, biased", .family = family::freehold, .order = 10, .threads = true};
};

}  // namespace lab::handles
