// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <freehold/count/local_count.hpp>

#include "subjects/handles/freehold_make_shared.hpp"

namespace lab::handles {

struct freehold_make_shared_local : freehold_make_shared_with<freehold::local_count> {
    static constexpr identity is = {.name = "freehold::make_shared, local",
                                    .family = family::freehold,
                                    .order = 6,
                                    .folded = true};
};

}  // namespace lab::handles
