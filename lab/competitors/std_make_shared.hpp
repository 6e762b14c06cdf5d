// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "competitors/std_shared_ptr.hpp"

#include <memory>
#include <utility>

namespace lab {

struct std_make_shared : std_shared_ptr {
    static constexpr const char* name = "std::make_shared";

    template <class T, class... Arguments>
    static std::shared_ptr<T> make(Arguments&&... arguments) {
        return std::make_shared<T>(std::forward<Arguments>(arguments)...);
    }
};

}  // namespace lab
