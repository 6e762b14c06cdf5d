// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "subjects/boost.hpp"
#include "subjects/handle.hpp"

namespace lab::handles {

struct boost_local_shared_ptr : handle_subject {
    static constexpr identity is = {.name = "boost::local_shared_ptr",
                                    .family = family::boost,
                                    .order = 5,
                                    .from = &boost_headers};

#if LAB_HAS_BOOST
    template <class T>
    using handle = boost::local_shared_ptr<T>;
#endif
};

}  // namespace lab::handles
