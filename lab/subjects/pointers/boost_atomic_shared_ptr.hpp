// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "subjects/handles/boost_make_shared.hpp"
#include "subjects/pointer.hpp"

#if LAB_HAS_BOOST
#include <boost/smart_ptr/atomic_shared_ptr.hpp>
#endif

namespace lab::pointers {

struct boost_atomic_shared_ptr : pointer_subject {
    static constexpr identity is = {.name = "boost::atomic_shared_ptr",
                                    .family = family::boost,
                                    .order = 9,
                                    .from = &boost_headers};

#if LAB_HAS_BOOST
    template <class T>
    using pointer = loaded_pointer<T, boost::atomic_shared_ptr<T>, handles::boost_make_shared>;
#endif
};

}  // namespace lab::pointers
