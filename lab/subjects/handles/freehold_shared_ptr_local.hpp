// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <freehold/count/local_count.hpp>

#include "subjects/handles/freehold_shared_ptr.hpp"

namespace lab::handles {

struct freehold_shared_ptr_local : freehold_shared_ptr_of<freehold::local_count> {
    static constexpr identity is = {.name = "freehold::shared_ptr, local",
                                    .family = family::freehold,
                                    .order = 2,
                                    .folded = true};
};

}  // namespace lab::handles
