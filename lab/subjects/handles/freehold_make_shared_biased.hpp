// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <freehold/count/biased_count.hpp>

#include "subjects/handles/freehold_make_shared.hpp"

namespace lab::handles {

struct freehold_make_shared_biased : freehold_make_shared_with<freehold::biased_count> {
    static constexpr identity is = {.name = "freehold::make_shared, biased",
                                    .family = family::freehold,
                                    .order = 7,
                                    .threads = true};
};

}  // namespace lab::handles
