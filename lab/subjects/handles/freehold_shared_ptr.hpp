// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <freehold/count/atomic_count.hpp>
#include <freehold/handle/shared_ptr.hpp>

#include "subjects/handle.hpp"

namespace lab::handles {

template <class Count>
struct freehold_shared_ptr_of : handle_subject {
    template <class T>
    using handle = freehold::shared_ptr<T, Count>;

    template <class T>
    using weak = freehold::weak_ptr<T, Count>;
};

struct freehold_shared_ptr : freehold_shared_ptr_of<freehold::atomic_count> {
    static constexpr identity is = {.name = "freehold::shared_ptr",
                                    .family = family::freehold,
                                    .order = 1,
                                    .folded = true,
                                    .single = true};
};

}  // namespace lab::handles
