// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "competitors/competitor.hpp"

#if __has_include(<boost/smart_ptr/intrusive_ref_counter.hpp>)
#include <boost/smart_ptr/intrusive_ptr.hpp>
#include <boost/smart_ptr/intrusive_ref_counter.hpp>
#endif

namespace lab {

struct boost_intrusive_ptr_atomic : competitor {
    static constexpr const char* name = "boost::intrusive_ptr, atomic";

#if __has_include(<boost/smart_ptr/intrusive_ref_counter.hpp>)
    template <class T>
    using base = boost::intrusive_ref_counter<T, boost::thread_safe_counter>;

    template <class T>
    using handle = boost::intrusive_ptr<T>;
#else
    static constexpr const char* missing = "install Boost's headers (Debian: libboost-dev)";
#endif
};

}  // namespace lab
