// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "subjects/handles/freehold_shared_ptr.hpp"

#include <utility>

namespace lab::handles {

template <class Count>
struct freehold_make_shared_with : freehold_shared_ptr_of<Count> {
    template <class T, class... Arguments>
    static freehold::shared_ptr<T, Count> make(Arguments&&... arguments) {
        return freehold::make_shared<T, Count>(std::forward<Arguments>(arguments)...);
    }
};

struct freehold_make_shared : freehold_make_shared_with<freehold::atomic_count> {
    static constexpr identity is = {.name = "freehold::make_shared",
                                    .family = family::freehold,
                                    .order = 5,
                                    .single = true,
                                    .threads = true};
};

}  // namespace lab::handles
