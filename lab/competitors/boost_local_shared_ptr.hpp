// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "competitors/competitor.hpp"

#if __has_include(<boost/smart_ptr/local_shared_ptr.hpp>)
#include <boost/smart_ptr/local_shared_ptr.hpp>
#endif

namespace lab {

struct boost_local_shared_ptr : competitor {
    static constexpr const char* name = "boost::local_shared_ptr";

#if __has_include(<boost/smart_ptr/local_shared_ptr.hpp>)
    template <class T>
    using handle = boost::local_shared_ptr<T>;
#else
    static constexpr const char* missing = "install Boost's headers (Debian: libboost-dev)";
#endif
};

}  // namespace lab
