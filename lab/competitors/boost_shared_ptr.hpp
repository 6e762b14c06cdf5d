// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "competitors/competitor.hpp"

#if __has_include(<boost/smart_ptr/shared_ptr.hpp>)
#include <boost/smart_ptr/shared_ptr.hpp>
#include <boost/smart_ptr/weak_ptr.hpp>
#endif

namespace lab {

struct boost_shared_ptr : competitor {
    static constexpr const char* name = "boost::shared_ptr";

#if __has_include(<boost/smart_ptr/shared_ptr.hpp>)
    template <class T>
    using handle = boost::shared_ptr<T>;

    template <class T>
    using weak = boost::weak_ptr<T>;
#else
    static constexpr const char* missing = "install Boost's headers (Debian: libboost-dev)";
#endif
};

}  // namespace lab
