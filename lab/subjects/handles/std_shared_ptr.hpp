// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "subjects/handle.hpp"

#include <memory>

namespace lab::handles {

struct std_shared_ptr : handle_subject {
    static constexpr identity is = {
        .name = "std::shared_ptr", .family = family::standard, .order = 5, .single = true};

    template <class T>
    using handle = std::shared_ptr<T>;

    template <class T>
    using weak = std::weak_ptr<T>;
};

}  // namespace lab::handles
