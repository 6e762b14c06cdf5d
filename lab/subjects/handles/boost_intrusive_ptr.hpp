// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "subjects/boost.hpp"
#include "subjects/handle.hpp"

namespace lab::handles {

struct boost_intrusive_ptr : handle_subject {
    static constexpr identity is = {.name = "boost::intrusive_ptr",
                                    .family = family::boost,
                                    .order = 7,
                                    .from = &boost_headers};

#if LAB_HAS_BOOST
    template <class T>
    using base = boost::intrusive_ref_counter<T, boost::thread_unsafe_counter>;

    template <class T>
    using handle = boost::intrusive_ptr<T>;
#endif
};

}  // namespace lab::handles
