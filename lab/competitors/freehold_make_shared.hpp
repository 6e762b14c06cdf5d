// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "competitors/freehold_shared_ptr.hpp"

#include <utility>

namespace lab {

struct freehold_make_shared : freehold_shared_ptr {
    static constexpr const char* name = "freehold::make_shared";

    template <class T, class... Arguments>
    static handle<T> make(Arguments&&... arguments) {
        return freehold::make_shared<T, freehold::atomic_count>(
            std::forward<Arguments>(arguments)...);
    }
};

}  // namespace lab
