// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "subjects/handles/std_shared_ptr.hpp"

#include <memory>
#include <utility>

namespace lab::handles {

struct std_make_shared : std_shared_ptr {
    static constexpr identity is = {.name = "std::make_shared",
                                    .family = family::standard,
                                    .order = 7,
                                    .single = true,
                                    .threads = true};

    template <class T, class... Arguments>
    static std::shared_ptr<T> make(Arguments&&... arguments) {
        return std::make_shared<T>(std::forward<Arguments>(arguments)...);
    }
};

}  // namespace lab::handles
