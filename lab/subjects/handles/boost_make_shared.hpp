// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "subjects/handles/boost_shared_ptr.hpp"

#include <utility>

namespace lab::handles {

struct boost_make_shared : boost_shared_ptr {
    static constexpr identity is = {.name = "boost::make_shared",
                                    .family = family::boost,
                                    .order = 3,
                                    .threads = true,
                                    .from = &boost_headers};

#if LAB_HAS_BOOST
    template <class T, class... Arguments>
    static boost::shared_ptr<T> make(Arguments&&... arguments) {
        return boost::make_shared<T>(std::forward<Arguments>(arguments)...);
    }
#endif
};

}  // namespace lab::handles
