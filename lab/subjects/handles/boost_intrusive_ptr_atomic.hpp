// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "subjects/boost.hpp"
#include "subjects/handle.hpp"

namespace lab::handles {

struct boost_intrusive_ptr_atomic : handle_subject {
    static constexpr identity is = {.name = "boost::intrusive_ptr, atomic",
                                    .family = family::boost,
                                    .order = 8,
                                    .folded = true,
                                    .threads = true,
                                    .from = &boost_headers};

#if LAB_HAS_BOOST
    template <class T>
    using base = boost::intrusive_ref_counter<T, boost::thread_safe_counter>;

    template <class T>
    using handle = boost::intrusive_ptr<T>;
#endif
};

}  // namespace lab::handles
