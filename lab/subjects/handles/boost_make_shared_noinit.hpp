// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "subjects/handles/boost_shared_ptr.hpp"

#include <utility>

namespace lab::handles {

struct boost_make_shared_noinit : boost_shared_ptr {
    static constexpr identity is = {.name = "boost::make_shared_noinit",
                                    .family = family::boost,
                                    .order = 4,
                                    .folded = true,
                                    .from = &boost_headers};

#if LAB_HAS_BOOST
    /// The function takes no arguments, so the value is assigned afterwards.
    template <class T, class... Arguments>
    static boost::shared_ptr<T> make(Arguments&&... arguments) {
        boost::shared_ptr<T> made = boost::make_shared_noinit<T>();
        if constexpr (sizeof...(arguments) != 0) *made = T(std::forward<Arguments>(arguments)...);
        return made;
    }
#endif
};

}  // namespace lab::handles
