// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "subjects/boost.hpp"
#include "subjects/handle.hpp"

namespace lab::handles {

struct boost_shared_ptr : handle_subject {
    static constexpr identity is = {.name = "boost::shared_ptr",
                                    .family = family::boost,
                                    .order = 1,
                                    .folded = true,
                                    .from = &boost_headers};

#if LAB_HAS_BOOST
    template <class T>
    using handle = boost::shared_ptr<T>;

    template <class T>
    using weak = boost::weak_ptr<T>;
#endif
};

}  // namespace lab::handles
