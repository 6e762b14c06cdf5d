// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "competitors/freehold_shared_ptr_local.hpp"

#include <utility>

namespace lab {

struct freehold_make_shared_local : freehold_shared_ptr_local {
    static constexpr const char* name = "freehold::make_shared, local";

    template <class T, class... Arguments>
    static handle<T> make(Arguments&&... arguments) {
        return freehold::make_shared<T, freehold::local_count>(
            std::forward<Arguments>(arguments)...);
    }
};

}  // namespace lab
