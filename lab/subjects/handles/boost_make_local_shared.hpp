// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "subjects/handles/boost_local_shared_ptr.hpp"

#include <utility>

namespace lab::handles {

struct boost_make_local_shared : boost_local_shared_ptr {
    static constexpr identity is = {.name = "boost::make_local_shared",
                                    .family = family::boost,
                                    .order = 6,
                                    .folded = true,
                                    .from = &boost_headers};

#if LAB_HAS_BOOST
    template <class T, class... Arguments>
    static boost::local_shared_ptr<T> make(Arguments&&... arguments) {
        return boost::make_local_shared<T>(std::forward<Arguments>(arguments)...);
    }
#endif
};

}  // namespace lab::handles
