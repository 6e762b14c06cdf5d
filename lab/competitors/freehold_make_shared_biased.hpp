// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "competitors/freehold_shared_ptr_biased.hpp"

#include <utility>

namespace lab {

struct freehold_make_shared_biased : freehold_shared_ptr_biased {
    static constexpr const char* name = "freehold::make_shared, biased";

    template <class T, class... Arguments>
    static handle<T> make(Arguments&&... arguments) {
        return freehold::make_shared<T, freehold::biased_count>(
            std::forward<Arguments>(arguments)...);
    }
};

}  // namespace lab
