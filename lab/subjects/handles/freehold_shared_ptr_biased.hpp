// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <freehold/count/biased_count.hpp>

#include "subjects/handles/freehold_shared_ptr.hpp"

namespace lab::handles {

struct freehold_shared_ptr_biased : freehold_shared_ptr_of<freehold::biased_count> {
    static constexpr identity is = {.name = "freehold::shared_ptr, biased",
                                    .family = family::freehold,
                                    .order = 3,
                                    .folded = true};
};

}  // namespace lab::handles
