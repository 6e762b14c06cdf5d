// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <freehold/handle/dumb_ptr.hpp>

#include "subjects/handle.hpp"

namespace lab::handles {

struct dumb : handle_subject {
    static constexpr identity is = {
        .name = "dumb", .family = family::lower_bound, .order = 2, .single = true};

    template <class T>
    using handle = freehold::dumb_ptr<T>;

    template <class T>
    static void abandon(freehold::dumb_ptr<T>& last) noexcept {
        last.dispose();
    }
};

}  // namespace lab::handles
